import type http from 'node:http';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { type Attempt, CONNECT_MS, type ForwarderOptions } from './forwarder.ts';
import { createStreamAgent } from './stream-agent.ts';
import { toClientHeaders } from './to-client-headers.ts';

/** The attempt of a response, and the callback for its failure. */
interface RunningAttempt {
  readonly attempt: Attempt;
  readonly fail: (error: unknown) => void;
}

/** Forwards requests and replies of any length as streams. */
export function createStreamForwarder({ url, tls, lookup, idleTimeoutMs, acquireSlot }: ForwarderOptions) {
  const { agent, close } = createStreamAgent({ url, tls, lookup });

  const plugin: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (upstream, _request, response) => {
      // A response may have no attempt if it was queued on a connection that broke.
      const attempt = runningOf(response)?.attempt;
      if (attempt === undefined) return;
      upstream.once('close', acquireSlot(attempt.kind).release);
      attempt.end = () => upstream.destroy();
      attempt.connectionLost = upstream.reusedSocket;
      upstream.once('timeout', () => {
        attempt.timedOut = true;
      });
      limitConnectTime(upstream);
    });
    proxy.on('proxyRes', (reply, _request, response) => {
      reply.headers = toClientHeaders(reply.headers, response);
    });
    // The middleware reports all failures here, and only some to its callback.
    proxy.on('error', (error, _request, response) => runningOf(response as Response)?.fail(error));
  };

  const middleware = createProxyMiddleware<Request, Response>({
    // As an object: a string would be parsed again for each request.
    target: new URL(url),
    agent,
    changeOrigin: true,
    proxyTimeout: idleTimeoutMs,
    // The default plugins print to the console, and reveal host names to clients.
    ejectPlugins: true,
    plugins: [plugin],
  });

  return {
    /** Resolves when the exchange is over, or the caller has gone; rejects without a complete reply. */
    forward: (request: Request, response: Response, attempt: Attempt): Promise<void> =>
      new Promise((resolve, reject) => {
        response.locals['running'] = { attempt, fail: reject } satisfies RunningAttempt;
        middleware(request, response, reject).then(resolve, reject);
      }),
    close,
  };
}

/** Returns the attempt of a response. Do not store it in a WeakMap: its values survive many garbage collections. */
function runningOf(response: Response): RunningAttempt | undefined {
  // Only `forward` sets it.
  return response.locals['running'] as RunningAttempt | undefined;
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
  socket.once('connect', stop);
  upstream.once('close', stop);
}
