import type { IncomingMessage, ServerResponse } from 'node:http';
import { create, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';
import { type AdmittedCall, callContextKey } from '../rpc/call-context.ts';
import { headerNames, operationNameOf, requestIdOf } from '../rpc/headers.ts';
import type { Implementation, RawHandler } from '../rpc/implementation.ts';
import { createMessageCheck } from '../rpc/message-check.ts';
import type { Pipeline } from '../rpc/pipeline.ts';
import { checkHost } from './header-lines.ts';
import { fieldToJson, messageToJson } from './json-output.ts';
import { sendProblem } from './problem.ts';
import { readBody } from './request-body.ts';
import { readMessage, type UrlValues, withParameterPaths } from './request-message.ts';
import { type Route, routesOf } from './route.ts';
import { createRouter, routeNotFound } from './router.ts';

/** Time limit for calls to other services during a request; the gateway waits slightly longer. Milliseconds. */
const TIMEOUT_MS = 30_000;

/** Serves HTTP requests by calling handlers in process: JSON → message → handler → JSON. Never throws. */
export type Transcoder = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Options {
  readonly implementations: readonly Implementation[];
  readonly pipeline: Pipeline;
}

/** A route with its handler. A handler that is not raw ignores the additional argument of `RawHandler`. */
interface ServedRoute extends Route {
  readonly handler: RawHandler;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set when the message has been read. */
  context?: RestContext;
}

/** Creates a transcoder for the routes of services. Throws if a route is invalid, or has no handler. */
export function createTranscoder({ implementations, pipeline }: Options): Transcoder {
  const routes = routesOf(implementations.map(({ service }) => service));
  const router = createRouter(routes.map((route) => ({ ...route, handler: handlerOf(route, implementations) })));
  const checkMessage = createMessageCheck();

  /** Calls the handler. Returns undefined if a raw handler has written the reply. */
  async function handle(route: ServedRoute, urlValues: UrlValues, call: AdmittedCall, exchange: Exchange) {
    const { request, response } = exchange;
    if (route.repliesInJson && !acceptsJson(request.headers.accept)) throw new AppError('NOT_ACCEPTABLE');
    const message = await readMessage(route, urlValues, request, checkMessage);
    if (isGone(response)) throw new AppError('CANCELLED');
    // Uploads and exports have no time limit.
    exchange.context = createRestContext({
      route,
      request,
      response,
      timeoutMs: route.hasRawHandler ? undefined : TIMEOUT_MS,
    });
    exchange.context.values.set(callContextKey, call);
    if (route.hasRawHandler) {
      // An export is silent while it searches. The caller decides how long to wait, and disconnects.
      if (!route.handlerReadsBody) response.setTimeout(0);
      response.statusCode = route.successCode;
      response.setHeader('cache-control', 'no-store');
    }
    const body = readBody(request, route.maxBodyBytes);
    const result = await route.handler(message, exchange.context, { request, response, body });
    if (result !== undefined) return toReply(route, create(route.method.output, result), request.url ?? '');
    if (!response.writableEnded) throw new Error(`${route.method.name} has not ended its response`);
    return undefined;
  }

  // Finds the route, admits and handles the call, and writes the reply.
  return async (request, response) => {
    const header = (name: string) => singleHeader(request, name);
    const requestId = requestIdOf(header(headerNames.requestId));
    response.setHeader(headerNames.requestId, requestId);
    request.headers[headerNames.requestId] = requestId;
    const exchange: Exchange = { request, response };
    try {
      checkHost(request);
      const [path, query] = splitTarget(request.url ?? '/');
      const match = router.match(request.method ?? '', path);
      if (match.kind === 'not-found') throw routeNotFound(request);
      if (match.kind === 'wrong-method') {
        response.setHeader('allow', match.allow.join(', '));
        if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
        response.writeHead(204).end();
        return;
      }
      const { route, params } = match;
      const reply = await pipeline.run('rest', route.method, header, (call) =>
        handle(route, { params, query }, call, exchange).catch((error: unknown) => {
          // If the client has disconnected, an error is not a failure of the service.
          if (isGone(response) && !(error instanceof AppError)) throw new AppError('CANCELLED', { cause: error });
          throw error instanceof AppError ? withParameterPaths(error, route, request) : error;
        }),
      );
      if (reply !== undefined) writeReply(reply, exchange.context?.responseHeader, request, response);
    } catch (error) {
      // Errors also report the tenant, because the gateway counts them by tenant.
      const tenant = exchange.context?.responseHeader.get(headerNames.tenant);
      if (tenant != null && !response.headersSent) response.setHeader(headerNames.tenant, tenant);
      await sendProblem(toAppError(error), requestId, request, response);
    } finally {
      exchange.context?.end();
    }
  };
}

/** Finds the handler of a route: a raw handler for a raw route, and no raw handler for other routes. */
function handlerOf({ method, hasRawHandler }: Route, implementations: readonly Implementation[]): RawHandler {
  const implementation = implementations.find(({ service }) => service === method.parent);
  const [handlers, otherHandlers] = hasRawHandler
    ? [implementation?.rawHandlers, {}]
    : [implementation?.handlers, implementation?.rawHandlers];
  const handler = handlers?.[method.localName];
  if (typeof handler !== 'function' || otherHandlers?.[method.localName] !== undefined)
    throw new Error(
      `${operationNameOf(method)} needs ${hasRawHandler ? 'a raw handler' : 'a handler that is not raw'}`,
    );
  // `implement` checked the types.
  return handler as RawHandler;
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

/** Media ranges that match `application/json`. The last one that a header contains decides (RFC 9110, 12.5.1). */
const JSON_RANGES = ['*/*', 'application/*', 'application/json'];
/** Other ranges of clients that understand JSON: those of browsers, and types such as `application/problem+json`. */
const LENIENT = /^(?:text\/(?:html|\*)|application\/[^/\s]*\+json)$/;

/** Whether an `Accept` header (undefined if absent) allows a JSON reply. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  let best = -1;
  let accepted = false;
  let isLenient = false;
  for (const range of accept.split(',')) {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const rejected = params.some((param) => /^q=0(\.0{0,3})?$/.test(param));
    isLenient ||= !rejected && LENIENT.test(type);
    const rank = JSON_RANGES.indexOf(type);
    if (rank < 0 || rank < best) continue;
    accepted = rank === best ? accepted || !rejected : !rejected;
    best = rank;
  }
  const isNamed = best === JSON_RANGES.length - 1;
  return accepted || (isLenient && !isNamed);
}

interface RestContext extends HandlerContext {
  /** Ends the call after its reply, and stops all calls that it made. */
  end(): void;
}

interface RestContextOptions {
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Time limit for calls to other services, in milliseconds; undefined means unlimited. */
  readonly timeoutMs: number | undefined;
}

/** The reason of aborts at the end of a call. All calls share it, because recording the stack of an error is slow. */
const ENDED = new ConnectError('the call has ended', Code.Canceled);

/** Creates the context of a call. Its signal aborts when the caller disconnects, the time is over, or the call ends. */
export function createRestContext({ route, request, response, timeoutMs }: RestContextOptions): RestContext {
  const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const abort = new AbortController();
  const expire = () => abort.abort(new ConnectError('the operation timed out', Code.DeadlineExceeded));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    abort.abort(ENDED);
  };
  response.once('close', () => {
    if (isGone(response)) end();
  });
  return {
    service: route.method.parent,
    method: route.method,
    protocolName: 'rest',
    requestMethod: request.method ?? '',
    url: request.url ?? '',
    values: createContextValues(),
    timeoutMs: () => (deadline === undefined ? undefined : deadline - performance.now()),
    signal: abort.signal,
    requestHeader: toHeaders(request),
    responseHeader: new Headers(),
    responseTrailer: new Headers(),
    end,
  };
}

/** Whether the caller disconnected before the end of the reply. */
function isGone(response: ServerResponse): boolean {
  return response.closed && !response.writableFinished;
}

function toHeaders(request: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') result.set(name, value);
  }
  return result;
}

interface RestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in UTF-8; undefined for an empty body. */
  readonly body: Uint8Array | undefined;
}

/** Makes the reply from a message. Throws if the handler did not set the field that is the body. */
function toReply(route: Route, message: MessageShape<DescMessage>, url: string): RestReply {
  const next = nextLink(route, message, url);
  const headers = { 'cache-control': 'no-store', ...(next === undefined ? {} : { link: next }) };
  if (route.successCode === 204) return { status: 204, headers, body: undefined };
  const json =
    route.responseBody === undefined
      ? messageToJson(route.method.output, message)
      : fieldToJson(route.responseBody, message);
  const body = Buffer.from(JSON.stringify(json));
  const content = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { status: route.successCode, headers: { ...headers, ...content }, body };
}

/** Writes a reply, or 304 if the caller has it already. `handlerHeaders` override the common headers. */
function writeReply(
  reply: RestReply,
  handlerHeaders: Headers = new Headers(),
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, headers, body } = applyIfNoneMatch(reply, request, handlerHeaders.get('etag'));
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  for (const [name, value] of handlerHeaders) response.setHeader(name, value);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * The `Link` to the next page (RFC 8288). Lists that are a bare array need it, because their body has no `next_cursor`.
 */
function nextLink(route: Route, message: MessageShape<DescMessage>, url: string): string | undefined {
  const field = route.method.output.fields.find(({ name }) => name === 'next_cursor');
  if (field === undefined || route.responseBody === undefined) return undefined;
  // The field is a string of this message type.
  const cursor = (message as unknown as Record<string, string>)[field.localName];
  if (cursor === undefined || cursor === '') return undefined;
  const [path = '', query] = splitTarget(url);
  const params = new URLSearchParams(query);
  params.set('cursor', cursor);
  return `<${path}?${params}>; rel="next"`;
}

/** Splits a request target (RFC 9112, section 3.2). */
function splitTarget(target: string): readonly [path: string, query: string] {
  const queryStart = target.indexOf('?');
  return queryStart < 0 ? [target, ''] : [target.slice(0, queryStart), target.slice(queryStart + 1)];
}

/** The prefix of weak tags. `If-None-Match` ignores it (RFC 9110, section 8.8.3.2). */
const WEAK = /^W\//;

/** Replies 304 to a read if `If-None-Match` (RFC 9110, section 13.1.2) contains the ETag. */
function applyIfNoneMatch(reply: RestReply, request: IncomingMessage, etag: string | null): RestReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || etag === null || !isAmong(etag, request.headers['if-none-match'] ?? '')) return reply;
  const { 'content-type': _, 'content-length': __, ...headers } = reply.headers;
  return { status: 304, headers, body: undefined };
}

function isAmong(etag: string, ifNoneMatch: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(WEAK, ''));
  return tags.includes('*') || tags.includes(etag.replace(WEAK, ''));
}
