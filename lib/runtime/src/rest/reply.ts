import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { fieldToJson, messageToJson } from './json-output.ts';
import type { Route } from './route.ts';

interface RestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in UTF-8; undefined for an empty body. */
  readonly body: Uint8Array | undefined;
}

/** Makes the reply from a message. Throws if the handler did not set the field that is the body. */
export function toReply(route: Route, message: MessageShape<DescMessage>, url: string): RestReply {
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
export function writeReply(
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

/** A list with a `next_cursor` outside of its body has the URL of the next page in `Link` (RFC 8288). */
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
export function splitTarget(target: string): readonly [path: string, query: string] {
  const queryStart = target.indexOf('?');
  return queryStart < 0 ? [target, ''] : [target.slice(0, queryStart), target.slice(queryStart + 1)];
}

/** The prefix of weak tags, which is ignored here (RFC 9110, section 8.8.3.2). */
const WEAK = /^W\//;

/**
 * Replaces the reply to a read by 304 if `If-None-Match` (RFC 9110, section 13.1.2) contains its ETag. A malformed header matches
 * nothing.
 */
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
