import type http from 'node:http';
import { AppError } from '@survey/runtime/errors/app-error';
import { hasBody } from '@survey/runtime/rest/request-body';
import { headers } from '@survey/runtime/rpc/headers';
import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { callOf } from '../http/call.ts';
import { createBackendAgent, MAX_IN_FLIGHT } from './backend-agent.ts';
import { cleanResponseHeaders } from './header-rules.ts';
import { toUpstreamError } from './upstream-error.ts';

export interface BackendProxy {
  /** Resolves when the exchange is over, rejects with the error to answer with when the backend gave no answer. */
  forward(request: Request, response: Response, kind: ExchangeKind): Promise<void>;
  /** Closes the connections that are kept. */
  close(): void;
}

/** A message is over in a known time, as long as a stream flows it may go on. */
export type ExchangeKind = 'message' | 'stream';

const CONNECT_MS = 3_000;
const MAX_STREAMS = 128;

export interface BackendProxyOptions {
  readonly url: string;
  /** Certificates for a backend with an https address. */
  readonly tls?: PeerTls | undefined;
  /** How long a backend may be silent, in milliseconds. */
  readonly silenceMs?: number;
  /** How long the whole exchange of a message may take: a minute for its body to arrive, and the silence. */
  readonly exchangeMs?: number;
  /** Requests at the same time; more are refused. */
  readonly maxInFlight?: number;
  /** How many of them may be streams: a caller can make one last. */
  readonly maxStreams?: number;
}

interface Attempt {
  readonly kind: ExchangeKind;
  readonly fail: (error: unknown) => void;
  upstream?: http.ClientRequest;
  timedOut: boolean;
}

/** Forwards requests, whose headers have been prepared, to one service. */
export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  const { url, tls, silenceMs = 35_000, exchangeMs = 95_000, maxInFlight = MAX_IN_FLIGHT } = options;
  const { maxStreams = MAX_STREAMS } = options;
  const { agent, close } = createBackendAgent(url, tls);
  const running = { message: 0, stream: 0 };

  const plugin: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (upstream, _request, response) => {
      // Responses need not come to an end: not those that wait for others on a connection that breaks.
      const attempt = attemptOf(response);
      if (attempt === undefined) return;
      const { kind } = attempt;
      running[kind] += 1;
      upstream.once('close', () => {
        running[kind] -= 1;
      });
      attempt.upstream = upstream;
      upstream.once('timeout', () => {
        attempt.timedOut = true;
      });
      limitConnectTime(upstream);
    });
    proxy.on('proxyRes', (answer, _request, response) => {
      const call = callOf(response);
      const tenant = answer.headers[headers.tenant];
      if (typeof tenant === 'string') call.tenantId ??= tenant;
      answer.headers = cleanResponseHeaders(answer.headers);
      // The listener has said so when it is draining.
      const ends = !call.keepAlive || response.getHeader('connection') === 'close';
      answer.headers.connection = ends ? 'close' : 'keep-alive';
    });
    // With a listener the middleware reports failures here, and only some of them to its callback as well.
    proxy.on('error', (error, _request, response) => attemptOf(response as Response)?.fail(error));
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

  function attemptOnce(request: Request, response: Response, kind: ExchangeKind): Promise<void> {
    return new Promise((resolve, reject) => {
      response.locals['attempt'] = { kind, fail: reject, timedOut: false } satisfies Attempt;
      middleware(request, response, reject).then(resolve, reject);
    });
  }

  async function attemptTwice(request: Request, response: Response, kind: ExchangeKind): Promise<void> {
    try {
      await attemptOnce(request, response, kind);
    } catch (error) {
      const attempt = attemptOf(response);
      if (!isStaleConnection(request, response, attempt)) throw toUpstreamError(error, attempt?.timedOut === true);
      await attemptOnce(request, response, kind).catch((cause) => {
        throw toUpstreamError(cause, attemptOf(response)?.timedOut === true);
      });
    }
  }

  return {
    async forward(request, response, kind) {
      if (response.destroyed) return;
      // A service that hangs must not gather the requests of all others here.
      const isFull =
        running.message + running.stream >= maxInFlight || (kind === 'stream' && running.stream >= maxStreams);
      if (isFull) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      const deadline = kind === 'message' ? setTimeout(() => giveUp(attemptOf(response)), exchangeMs) : undefined;
      try {
        await attemptTwice(request, response, kind);
      } finally {
        clearTimeout(deadline);
      }
    },
    close,
  };
}

/** Beside the call, and not in a weak map: what those hold outlives many a collection of garbage. */
function attemptOf(response: Response): Attempt | undefined {
  // Set by `attemptOnce` alone.
  return response.locals['attempt'] as Attempt | undefined;
}

/** A kept connection that the other side was just closing. What only reads may be asked again: RFC 9110, section 9.2.2. */
function isStaleConnection(request: Request, response: Response, attempt: Attempt | undefined): boolean {
  // A body is gone with the first attempt.
  const reads = (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
  return reads && !response.headersSent && attempt?.upstream?.reusedSocket === true && !attempt.timedOut;
}

function giveUp(attempt: Attempt | undefined): void {
  if (attempt === undefined) return;
  attempt.timedOut = true;
  attempt.upstream?.destroy();
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
