import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { toConditional } from './if-none-match.ts';
import { fieldToJson, messageToJson } from './json-output.ts';
import type { Route } from './route.ts';

/** The answer to a request that succeeded. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in UTF-8; undefined when there is nothing to say. */
  readonly body: Uint8Array | undefined;
}

/** Makes the answer of a message. Throws when a handler left out what the answer consists of. */
export function toAnswer(route: Route, message: MessageShape<DescMessage>, url: string): Answer {
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

/**
 * Writes an answer, or that the caller has it already; the headers that a handler sets come before those that every answer
 * has.
 */
export function writeAnswer(
  answer: Answer,
  own: Headers = new Headers(),
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, headers, body } = toConditional(answer, request, own.get('etag'));
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  for (const [name, value] of own) response.setHeader(name, value);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** A list whose response has a `next_cursor` says in `Link` (RFC 8288) where it goes on. */
function nextLink(route: Route, message: MessageShape<DescMessage>, url: string): string | undefined {
  const field = route.method.output.fields.find(({ name }) => name === 'next_cursor');
  if (field === undefined) return undefined;
  // The field is a string, and the message is one of this type.
  const cursor = (message as unknown as Record<string, string>)[field.localName];
  if (cursor === undefined || cursor === '') return undefined;
  const [path = '', query] = splitTarget(url);
  const params = new URLSearchParams(query);
  params.set('cursor', cursor);
  return `<${path}?${params}>; rel="next"`;
}

/** Path and query of a request target (RFC 9112, section 3.2). */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}
