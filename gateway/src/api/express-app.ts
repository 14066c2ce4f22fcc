import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { checkHost } from '@survey/runtime/rest/header-lines';
import { sendProblem, toProblem } from '@survey/runtime/rest/problem';
import type { Route } from '@survey/runtime/rest/route';
import { headerNames, requestIdOf } from '@survey/runtime/rpc/headers';
import { startTrace, traceFields } from '@survey/runtime/telemetry/spans';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { BackendProxy } from '../forwarding/backend-proxy.ts';
import { isShort } from '../forwarding/message-forwarder.ts';
import type { PlatformHealth } from '../health/platform-health.ts';
import { beginCall, callOf } from '../http/call.ts';
import { type PageHandler, replyWithPage } from '../http/content-page.ts';
import type { Cors } from '../http/cors.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import type { RouteTable } from '../route-table.ts';
import type { FindPage } from '../web-apps/web-apps.ts';

interface Options {
  readonly api: RequestHandler;
  readonly health: () => Promise<PlatformHealth>;
  readonly metricsPage: PageHandler;
  readonly docs: ReadonlyMap<string, PageHandler>;
  readonly findWebAppPage: FindPage;
  readonly observe: HttpMetrics['observe'];
  /** Counts a request for a page. Throws if the client exceeds its rate limit. */
  readonly enter: (request: Request) => void;
  readonly log: Logger;
}

/** Path of the health check. It has no rate limit, because load balancers probe it. */
const HEALTH = '/health';

/** Creates the app of the public port. It reads no bodies: the API handler forwards them. */
export function createExpressApp(options: Options): Express {
  const { api, health, metricsPage, docs, findWebAppPage, observe, enter, log } = options;
  const checkFraming = createFramingCheck();
  const pages = new Map([[HEALTH, healthPage(health)], ['/metrics', metricsPage], ...docs]);
  const findPage: FindPage = (path) => {
    const page = pages.get(path);
    return page === undefined ? findWebAppPage(path) : { endpoint: path, page };
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);

  app.use((request, response, next) => {
    const call = beginCall(request, response);
    observe(request, response);
    checkHost(request);
    checkFraming(request, response);
    const found = findPage(request.path);
    if (found === undefined) return next();
    call.endpoint = found.endpoint;
    if (request.path !== HEALTH) enter(request);
    return replyWithPage(found.page, request, response);
  });
  // Requests for pages, such as probes of `/health`, are neither traced nor logged.
  app.use(recordRequests(log), api);
  app.use(createErrorHandler(log));
  return app;
}

function healthPage(health: Options['health']): PageHandler {
  return async (_request, response) => {
    const state = await health();
    response.setHeader('cache-control', 'no-store');
    response.status(state.status === 'healthy' ? 200 : 503).json(state);
  };
}

interface ShedLoadOptions<Name extends string> {
  readonly routes: RouteTable<Name>;
  readonly proxies: Readonly<Record<Name, Pick<BackendProxy, 'isFull'>>>;
  readonly count: HttpMetrics['count'];
  readonly cors: Cors;
}

/** Rejects short requests to an overloaded service before any other work, so that rejections cost little time. */
export function shedLoad<Name extends string>(
  handler: RequestListener,
  options: ShedLoadOptions<Name>,
): RequestListener {
  const { routes, proxies, count, cors } = options;
  const all = Object.values<Pick<BackendProxy, 'isFull'>>(proxies);
  const error = new AppError('OVERLOADED', { retryAfterSeconds: 1 });

  /** Returns the route of a request to reject. The proxies check all other requests when they forward them. */
  function findOverloaded(request: IncomingMessage): Route | undefined {
    // Check this before the route: it is cheap, and usually no service is full.
    if (!all.some((proxy) => proxy.isFull('message')) || !isShort(request)) return undefined;
    try {
      const match = routes.match(request.method ?? '', request.url ?? '');
      if (match.kind !== 'found') return undefined;
      const { route } = match;
      // Streams and long polls have limits of their own.
      return route.exchange === 'message' && proxies[route.backend].isFull('message') ? route : undefined;
    } catch {
      // The API handler reports a malformed path.
      return undefined;
    }
  }

  return (request, response) => {
    const route = findOverloaded(request);
    if (route === undefined) return handler(request, response);
    const requestId = requestIdOf(request.headersDistinct[headerNames.requestId]?.[0]);
    const problem = toProblem(error, requestId);
    const body = Buffer.from(JSON.stringify(problem.body));
    const extraHeaders = { [headerNames.requestId]: requestId, 'content-length': body.length };
    cors.onReply(route, request, response);
    response.writeHead(problem.status, { ...problem.headers, ...extraHeaders });
    // Read and drop the short body, so that the connection can be reused.
    request.resume();
    response.end(request.method === 'HEAD' ? undefined : body);
    return count({ method: request.method ?? '', endpoint: route.template, status: problem.status });
  };
}

/** Replies to errors that handlers throw, with a problem body. */
export function createErrorHandler(log: Logger): ErrorRequestHandler {
  return async (thrown, request, response, _next) => {
    const error = toAppError(thrown);
    const { requestId, endpoint, tenantId } = callOf(response);
    const fields = { request_id: requestId, endpoint, tenant_id: tenantId, reason: error.code };
    if (error.status >= 500) log.error({ ...fields, err: error.cause ?? error }, 'request failed');
    else log.debug({ ...fields, err: error.cause }, 'request rejected');
    await sendProblem(error, requestId, request, response);
  };
}

/** Traces each request, and logs it when its response closes. Logs the route template, because paths contain ids. */
export function recordRequests(log: Logger): RequestHandler {
  // These lines cannot contain secrets, and redaction would double their cost.
  const requestLog = log.child({}, { redact: [] });
  return (request, response, next) => {
    const { method, socket } = request;
    const span = startTrace({
      name: method,
      traceparent: request.get('traceparent'),
      attributes: {
        'http.request.method': method,
        // A proxy in front of the gateway terminates TLS.
        'url.scheme': 'http',
        'network.protocol.version': request.httpVersion,
      },
    });
    const call = callOf(response);
    call.traceId = span.recordedTraceId;
    const startedAt = performance.now();
    const sentBefore = socket.bytesWritten;
    // Read the fields now: the `close` event runs outside of the trace.
    const trace = span.run(traceFields);
    response.once('close', () => {
      const { requestId, endpoint, tenantId } = call;
      const { headersSent, statusCode } = response;
      requestLog.info(
        {
          request_id: requestId,
          method,
          route: endpoint,
          ...(headersSent ? { status: statusCode } : { client_disconnected: true }),
          ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
          duration_ms: Math.round(performance.now() - startedAt),
          bytes: socket.bytesWritten - sentBefore,
          ...trace,
        },
        'request',
      );
      span.end({
        name: `${method} ${endpoint}`,
        attributes: { 'http.route': endpoint, ...(headersSent ? { 'http.response.status_code': statusCode } : {}) },
        ...(headersSent && statusCode >= 500 ? { error: String(statusCode) } : {}),
      });
    });
    span.run(next);
  };
}

/**
 * Returns a check that throws `INVALID_REQUEST` if the transfer encoding is not exactly `chunked`, or if it comes with
 * HTTP/1.0. A proxy may disagree about where such a body ends (RFC 9112, sections 6.1 and 6.3). Later requests on the
 * connection are rejected, too.
 */
function createFramingCheck(): (request: IncomingMessage, response: ServerResponse) => void {
  const rejected = new WeakSet<Socket>();

  return (request, response) => {
    const encoding = request.headers['transfer-encoding'];
    const isChunked = encoding?.toLowerCase() === 'chunked' && request.httpVersion === '1.1';
    if ((encoding === undefined || isChunked) && !rejected.has(request.socket)) return;
    rejected.add(request.socket);
    response.setHeader('connection', 'close');
    throw new AppError('INVALID_REQUEST', {
      detail: 'Transfer-Encoding must be chunked, and needs HTTP/1.1',
    });
  };
}
