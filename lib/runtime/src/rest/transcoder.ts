import type { IncomingMessage, ServerResponse } from 'node:http';
import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import { createContextValues, createHandlerContext, type HandlerContext } from '@connectrpc/connect';
import { AppError, type FieldProblem } from '../errors/app-error.ts';
import { toAppError } from '../errors/error-mapping.ts';
import { type CallContext, callContextKey } from '../rpc/call-context.ts';
import { headers, requestIdOf } from '../rpc/headers.ts';
import type { Implementation } from '../rpc/implementation.ts';
import type { Pipeline } from '../rpc/pipeline.ts';
import { messageFromJson } from './json-input.ts';
import { fieldToJson, messageToJson } from './json-output.ts';
import { toProblem } from './problem.ts';
import { readQuery } from './query.ts';
import { readJsonBody } from './request-body.ts';
import { type Route, routesOf } from './route.ts';
import { createRouter } from './router.ts';

type Handler = (request: MessageShape<DescMessage>, context: HandlerContext) => Promise<MessageInitShape<DescMessage>>;

/** Answers HTTP requests by calling handlers in process: JSON → message → handler → JSON. Never throws. */
export type Transcoder = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Options {
  readonly implementations: readonly Implementation[];
  readonly pipeline: Pipeline;
}

/** A transcoder for the routes of some services. Throws when their routes are not sound. */
export function createTranscoder({ implementations, pipeline }: Options): Transcoder {
  const router = createRouter(routesOf(implementations.map(({ service }) => service)));
  const handlers = new Map(implementations.map(({ service, handlers }) => [service.typeName, handlers]));

  /** What is wrong with a query parameter makes the request a malformed one. */
  function validate(route: Route, message: MessageShape<DescMessage>): void {
    try {
      pipeline.validate(route.method.input, message);
    } catch (error) {
      const inQuery = ({ path }: FieldProblem) => route.query.has(path.split('/')[1] ?? '');
      if (!(error instanceof AppError) || !error.errors.some(inQuery)) throw error;
      throw new AppError('INVALID_REQUEST', { errors: error.errors, cause: error });
    }
  }

  async function call(route: Route, params: Params, query: string, request: IncomingMessage, context: HandlerContext) {
    const { method } = route;
    const header = (name: string) => singleHeader(request, name);
    return pipeline.run('rest', method, header, async (call: CallContext) => {
      checkAccept(request);
      const message = await readMessage(route, params, query, request);
      validate(route, message);
      context.values.set(callContextKey, call);
      // `implement` demanded a handler for each operation.
      const handler = handlers.get(method.parent.typeName)?.[method.localName] as Handler;
      return create(method.output, await handler(message, context));
    });
  }

  return async (request, response) => {
    const requestId = requestIdOf(singleHeader(request, headers.requestId));
    response.setHeader(headers.requestId, requestId);
    request.headers[headers.requestId] = requestId;
    let context: HandlerContext | undefined;
    try {
      const { path, query } = splitTarget(request.url ?? '/');
      const match = router.match(request.method ?? '', path);
      if (match.kind === 'not-found') throw new AppError('ROUTE_NOT_FOUND');
      if (match.kind === 'wrong-method') return answerWrongMethod(request, response, match.allow, requestId);
      const { route, params } = match;
      const abort = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) abort.abort();
      });
      context = createHandlerContext({
        service: route.method.parent,
        method: route.method,
        protocolName: 'rest',
        requestMethod: request.method ?? '',
        url: request.url ?? '',
        requestHeader: toHeaders(request),
        requestSignal: abort.signal,
        contextValues: createContextValues(),
      });
      const message = await call(route, params, query, request, context);
      writeResult(route, message, context, request, response);
    } catch (thrown) {
      const tenant = context?.responseHeader.get(headers.tenant);
      if (tenant != null && !response.headersSent) response.setHeader(headers.tenant, tenant);
      writeError(toAppError(thrown), requestId, request, response);
    }
  };
}

type Params = Readonly<Record<string, string>>;

async function readMessage(route: Route, params: Params, query: string, request: IncomingMessage) {
  const fromQuery = readQuery(query, route.query);
  if (route.body === undefined) return messageFromJson(route.method.input, { ...fromQuery, ...params });
  const body = await readJsonBody(request, route.maxBodyBytes);
  if (route.body !== '*')
    return messageFromJson(route.method.input, { ...fromQuery, [route.body.name]: body, ...params });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('INVALID_REQUEST', { detail: 'The body has to be a JSON object' });
  }
  const bound = Object.keys(params).find((name) => Object.hasOwn(body, name));
  if (bound !== undefined) {
    const problem = { path: `/${bound}`, code: 'UNKNOWN_FIELD', detail: 'It is named by the address' };
    throw new AppError('INVALID_REQUEST', { errors: [problem] });
  }
  return messageFromJson(route.method.input, { ...body, ...params });
}

function writeResult(
  route: Route,
  message: MessageShape<DescMessage>,
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.statusCode = route.successCode;
  response.setHeader('cache-control', 'no-store');
  for (const [name, value] of context.responseHeader) response.setHeader(name, value);
  const next = nextLink(route, message, request.url ?? '');
  if (next !== undefined) response.setHeader('link', next);
  if (route.successCode === 204) {
    response.end();
    return;
  }
  const json =
    route.responseBody === undefined
      ? messageToJson(route.method.output, message)
      : fieldToJson(route.responseBody, message);
  writeJson(response, 'application/json', json, request);
}

/** A list whose response has a `next_cursor` says in `Link` (RFC 8288) where it goes on. */
function nextLink(route: Route, message: MessageShape<DescMessage>, url: string): string | undefined {
  const field = route.method.output.fields.find(({ name }) => name === 'next_cursor');
  if (field === undefined) return undefined;
  // The field is a string, and the message is one of this type.
  const cursor = (message as unknown as Record<string, string>)[field.localName];
  if (cursor === undefined || cursor === '') return undefined;
  const { path, query } = splitTarget(url);
  const params = new URLSearchParams(query);
  params.set('cursor', cursor);
  return `<${path}?${params}>; rel="next"`;
}

function writeError(error: AppError, requestId: string, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = toProblem(error, requestId);
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  writeJson(response, 'application/problem+json', problem.body, request);
}

function answerWrongMethod(
  request: IncomingMessage,
  response: ServerResponse,
  allow: readonly string[],
  requestId: string,
): void {
  response.setHeader('allow', allow.join(', '));
  if (request.method === 'OPTIONS') {
    response.statusCode = 204;
    response.end();
    return;
  }
  writeError(new AppError('METHOD_NOT_ALLOWED'), requestId, request, response);
}

function writeJson(response: ServerResponse, contentType: string, json: unknown, request: IncomingMessage): void {
  const body = Buffer.from(JSON.stringify(json));
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', body.length);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}

function checkAccept(request: IncomingMessage): void {
  const accept = request.headers.accept;
  if (accept === undefined) return;
  const takes = accept.split(',').some((range) => {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = params.some((param) => /^q=0(\.0*)?$/.test(param));
    return !refused && ['*/*', 'application/*', 'application/json'].includes(type);
  });
  if (!takes) throw new AppError('NOT_ACCEPTABLE');
}

function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

function toHeaders(request: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') result.set(name, value);
  }
  return result;
}
