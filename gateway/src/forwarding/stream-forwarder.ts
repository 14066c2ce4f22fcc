import type http from 'node:http';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { type Attempt, CONNECT_MS, type ForwarderOptions } from './forwarder.ts';
import { createStreamAgent } from './stream-agent.ts';
import { toClientHeaders } from './to-client-headers.ts';

/** The attempt of a response, and who is waiting for its failure. */
interface Running {
  readonly attempt: Attempt;
  readonly fail: (error: unknown) => void;
}

/** Forwards bodies of any length both ways as they come. */
export function createStreamForwarder({ url, tls, lookup, silenceMs, acquireSlot }: ForwarderOptions) {
  const { agent, close } = createStreamAgent({ url, tls, lookup });

  const plugin: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (upstream, _request, response) => {
      // Responses need not come to an end: not those that wait for others on a connection that breaks.
      const attempt = runningOf(response)?.attempt;
      if (attempt === undefined) return;
      upstream.once('close', acquireSlot(attempt.kind).release);
      attempt.end = () => upstream.destroy();
      attempt.wasLost = upstream.reusedSocket;
      upstream.once('timeout', () => {
        attempt.timedOut = true;
      });
      limitConnectTime(upstream);
    });
    proxy.on('proxyRes', (answer, _request, response) => {
      answer.headers = toClientHeaders(answer.headers, response);
    });
    // With a listener the middleware reports failures here, and only some of them to its callback as well.
    proxy.on('error', (error, _request, response) => runningOf(response as Response)?.fail(error));
  };

  const middleware = createProxyMiddleware<Request, Response>({
    // Parsed once: a text is parsed anew for each request.
    target: new URL(url),
    agent,
    changeOrigin: true,
    proxyTimeout: silenceMs,
    // The default ones print, and name hosts to the caller.
    ejectPlugins: true,
    plugins: [plugin],
  });

  return {
    /** Resolves when the exchange is over, or the caller has gone; rejects without a complete reply. */
    forward: (request: Request, response: Response, attempt: Attempt): Promise<void> =>
      new Promise((resolve, reject) => {
        response.locals['running'] = { attempt, fail: reject } satisfies Running;
        middleware(request, response, reject).then(resolve, reject);
      }),
    close,
  };
}

/** Beside the call, and not in a weak map: what those hold outlives many a collection of garbage. */
function runningOf(response: Response): Running | undefined {
  // Set by `forward` alone.
  return response.locals['running'] as Running | undefined;
}

function limitConnectTime(upstream: http.ClientRequest): void {
  const { socket } = upstream;
  if (!socket?.connecting) return;
  const timer = setTimeout(() => {
    upstream.destroy(Object.assign(new Error('the backend does not take the connection'), { code: 'ETIMEDOUT' }));
  }, CONNECT_MS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop);
  upstream.once('close', stop);
}
