import http from 'node:http';
import https from 'node:https';
import { createSecureContext, TLSSocket } from 'node:tls';
import { hasBody } from '@survey/runtime/rest/request-body';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import {
  type Attempt,
  CONNECT_TIMEOUT_MS,
  type ForwarderOptions,
  isConnectionLoss,
  KEEP_ALIVE_MS,
  type Slot,
} from './forwarder.ts';
import { finishReplyHeaders } from './header-rules.ts';

/** An attempt that is being forwarded. */
interface RunningAttempt {
  readonly attempt: Attempt;
  readonly slot: Slot;
  readonly fail: (error: unknown) => void;
  /** The request to the service; undefined until it has a connection. */
  upstream?: http.ClientRequest;
}

interface Options extends ForwarderOptions {
  /** Timeout without data for a stream without a request body, and for an export once its body is sent. */
  readonly bodylessTimeoutMs: number;
}

/** Forwards requests and replies of any length as streams. */
export function createStreamForwarder({ idleTimeoutMs, bodylessTimeoutMs, acquireSlot, ...options }: Options) {
  const { url } = options;
  const { agent, close } = createStreamAgent(options);

  const plugin: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (upstream, request, response) => {
      const running = runningOf(response);
      const { attempt, slot } = running;
      running.upstream = upstream;
      upstream.once('close', slot.release);
      attempt.end = () => upstream.destroy();
      const isSent = () => !hasBody(request) || (attempt.maySearch && request.readableEnded);
      const startTimeout = (onTimeout?: () => void) =>
        upstream.setTimeout(isSent() ? bodylessTimeoutMs : idleTimeoutMs, onTimeout);
      startTimeout(() => {
        attempt.timedOut = true;
        upstream.destroy();
      });
      if (attempt.maySearch && !isSent()) request.once('end', () => startTimeout());
      // The timeout of `upstream` ends silent replies. The minimum reading speed of the listener ends replies that the
      // client does not read.
      response.setTimeout(0);
      limitConnectTime(upstream);
    });
    proxy.on('proxyRes', (reply, _request, response) => {
      reply.headers = finishReplyHeaders(reply.headers, response);
    });
    // The middleware reports all failures here, and only some to its callback.
    proxy.on('error', (error, _request, response) => {
      // Only an upgrade passes a socket as the response, and this proxy has no upgrades.
      const { attempt, upstream, fail } = runningOf(response as Response);
      attempt.connectionLost = upstream?.reusedSocket === true && isConnectionLoss(error);
      fail(error);
    });
  };

  const middleware = createProxyMiddleware<Request, Response>({
    // This is a `URL`, because a string would be parsed again for each request.
    target: new URL(url),
    agent,
    changeOrigin: true,
    // The default plugins print to the console, and reveal host names to clients.
    ejectPlugins: true,
    plugins: [plugin],
  });

  return {
    /** Resolves when the exchange is over or the caller has disconnected. Rejects if there is no complete reply. */
    async forward(request: Request, response: Response, attempt: Attempt): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      // Acquire the slot now, before other requests check the capacity.
      const running: RunningAttempt = { attempt, slot: acquireSlot(attempt), fail: reject };
      response.locals['running'] = running;
      middleware(request, response, reject).then(resolve, reject);
      try {
        await promise;
      } finally {
        if (running.upstream === undefined) running.slot.release();
      }
    },
    close,
  };
}

/** Returns the attempt of a response. A WeakMap would keep attempts for many garbage collections. */
function runningOf(response: Response): RunningAttempt {
  // `forward` sets it for each response of the middleware.
  return response.locals['running'] as RunningAttempt;
}

function limitConnectTime(upstream: http.ClientRequest): void {
  const { socket } = upstream;
  if (!socket?.connecting) return;
  const timer = setTimeout(() => {
    upstream.destroy(
      Object.assign(new Error('the backend did not accept the connection in time'), { code: 'ETIMEDOUT' }),
    );
  }, CONNECT_TIMEOUT_MS);
  const stop = () => clearTimeout(timer);
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', stop);
  upstream.once('close', stop);
}

/** Creates an agent with connections to one service. New TLS connections use the latest certificate and CA. */
function createStreamAgent({ url, tls, lookup, connections }: Omit<ForwarderOptions, 'acquireSlot' | 'idleTimeoutMs'>) {
  const options = {
    keepAlive: true,
    scheduling: 'lifo',
    maxSockets: connections,
    timeout: KEEP_ALIVE_MS,
    lookup,
  } as const;
  if (!url.startsWith('https:') || tls === undefined) {
    const agent = new (url.startsWith('https:') ? https : http).Agent(options);
    return { agent, close: () => agent.destroy() };
  }
  // A resumed TLS session would keep the verification with an earlier CA.
  const agent = new https.Agent({ ...options, maxCachedSessions: 0 });
  const renew = () => {
    agent.options.secureContext = createSecureContext(tls.current());
  };
  renew();
  const unsubscribe = tls.onChange(renew);
  return {
    agent,
    close() {
      unsubscribe();
      agent.destroy();
    },
  };
}
