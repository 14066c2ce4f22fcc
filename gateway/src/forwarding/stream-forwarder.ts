import type http from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { type Attempt, CONNECT_MS, type ForwarderOptions, type Slot } from './forwarder.ts';
import { createStreamAgent } from './stream-agent.ts';
import { toClientHeaders } from './to-client-headers.ts';
import { isConnectionLoss } from './upstream-error.ts';

/** The attempt of a response. */
interface RunningAttempt {
  readonly attempt: Attempt;
  readonly slot: Slot;
  readonly fail: (error: unknown) => void;
  /** The request to the service; undefined until it has a connection. */
  upstream?: http.ClientRequest;
}

/** Forwards requests and replies of any length as streams. */
export function createStreamForwarder({ idleTimeoutMs, acquireSlot, ...options }: ForwarderOptions) {
  const { url } = options;
  const { agent, close } = createStreamAgent(options);

  const plugin: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (upstream, _request, response) => {
      const running = runningOf(response);
      const { attempt, slot } = running;
      running.upstream = upstream;
      upstream.once('close', slot.release);
      attempt.end = () => upstream.destroy();
      upstream.once('timeout', () => {
        attempt.timedOut = true;
      });
      limitConnectTime(upstream);
    });
    proxy.on('proxyRes', (reply, _request, response) => {
      reply.headers = toClientHeaders(reply.headers, response);
    });
    // The middleware reports all failures here, and only some to its callback.
    proxy.on('error', (error, _request, response) => {
      // Only upgrades have a socket here, and this proxy has none.
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
    proxyTimeout: idleTimeoutMs,
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

/**
 * Returns the attempt of a response. Do not keep attempts in a WeakMap: its values survive many garbage collections.
 */
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
  }, CONNECT_MS);
  const stop = () => clearTimeout(timer);
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', stop);
  upstream.once('close', stop);
}
