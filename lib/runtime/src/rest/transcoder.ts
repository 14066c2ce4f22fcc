import type { IncomingMessage, ServerResponse } from 'node:http';
import { create } from '@bufbuild/protobuf';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';
import { type AdmittedCall, callContextKey } from '../rpc/call-context.ts';
import { headers, requestIdOf } from '../rpc/headers.ts';
import type { Implementation, RawHandler } from '../rpc/implementation.ts';
import { createMessageCheck } from '../rpc/message-check.ts';
import { operationNameOf } from '../rpc/operation-name.ts';
import type { Pipeline } from '../rpc/pipeline.ts';
import { acceptsJson } from './accept.ts';
import { checkHost } from './check-host.ts';
import { splitTarget, toReply, writeReply } from './reply.ts';
import { readBody } from './request-body.ts';
import { nameParameters, readMessage, type UrlValues } from './request-message.ts';
import { createRestContext, isGone, type RestContext } from './rest-context.ts';
import { type Route, repliesInJson, routesOf } from './route.ts';
import { createRouter, routeNotFound } from './router.ts';
import { sendProblem } from './send-problem.ts';

/** Time limit of a request for calls to other services; the gateway waits slightly longer. Milliseconds. */
const TIMEOUT_MS = 30_000;

/** Serves HTTP requests by calling handlers in process: JSON → message → handler → JSON. Never throws. */
export type Transcoder = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Options {
  readonly implementations: readonly Implementation[];
  readonly pipeline: Pipeline;
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
  const router = createRouter(routes);
  const handlers = new Map(routes.map((route) => [route, handlerOf(route, implementations)]));
  const checkMessage = createMessageCheck();

  /** Calls the handler. Returns undefined if a raw handler has written the reply. */
  async function handle(route: Route, urlValues: UrlValues, call: AdmittedCall, exchange: Exchange) {
    const { request, response } = exchange;
    if (repliesInJson(route) && !acceptsJson(request.headers.accept)) throw new AppError('NOT_ACCEPTABLE');
    const message = await readMessage(route, urlValues, request, checkMessage);
    if (isGone(response)) throw new AppError('CANCELLED');
    // Uploads and exports have no time limit.
    exchange.context = createRestContext({ route, request, response, timeoutMs: route.raw ? undefined : TIMEOUT_MS });
    exchange.context.values.set(callContextKey, call);
    if (route.raw) {
      response.statusCode = route.successCode;
      response.setHeader('cache-control', 'no-store');
    }
    const raw = { request, response, body: readBody(request, route.maxBodyBytes) };
    const result = await handlers.get(route)?.(message, exchange.context, raw);
    if (result !== undefined) return toReply(route, create(route.method.output, result), request.url ?? '');
    if (!response.writableEnded) throw new Error(`${route.method.name} has not ended its response`);
    return undefined;
  }

  /** Finds the route, admits and handles the call, and writes the reply. */
  async function serve(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
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
    const header = (name: string) => singleHeader(request, name);
    const reply = await pipeline.run('rest', route.method, header, (call) =>
      handle(route, { params, query }, call, exchange).catch((error: unknown) => {
        // An error after the client has disconnected is not a failure of the service.
        if (isGone(response) && !(error instanceof AppError)) throw new AppError('CANCELLED', { cause: error });
        throw error instanceof AppError ? nameParameters(error, route, request) : error;
      }),
    );
    if (reply !== undefined) writeReply(reply, exchange.context?.responseHeader, request, response);
  }

  return async (request, response) => {
    const requestId = requestIdOf(singleHeader(request, headers.requestId));
    response.setHeader(headers.requestId, requestId);
    request.headers[headers.requestId] = requestId;
    const exchange: Exchange = { request, response };
    try {
      await serve(exchange);
    } catch (error) {
      const tenant = exchange.context?.responseHeader.get(headers.tenant);
      if (tenant != null && !response.headersSent) response.setHeader(headers.tenant, tenant);
      await sendProblem(toAppError(error), requestId, request, response);
    } finally {
      exchange.context?.end();
    }
  };
}

/** Finds the handler of a route: a raw one if and only if the route is raw. */
function handlerOf({ method, raw }: Route, implementations: readonly Implementation[]): RawHandler {
  const implementation = implementations.find(({ service }) => service === method.parent);
  const [handlers, otherHandlers] = raw
    ? [implementation?.rawHandlers, {}]
    : [implementation?.handlers, implementation?.rawHandlers];
  const handler = handlers?.[method.localName];
  if (typeof handler !== 'function' || otherHandlers?.[method.localName] !== undefined)
    throw new Error(`${operationNameOf(method)} needs ${raw ? 'a raw handler' : 'a handler that is not raw'}`);
  // `implement` checked the types. Handlers that are not raw ignore the third argument.
  return handler as RawHandler;
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
