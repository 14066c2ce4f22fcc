import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { toPointerToken } from '@survey/runtime/json/pointer';

/** A header as a tenant gives it; null takes it away. */
export interface GivenHeader {
  readonly name: string;
  readonly value: string | null;
}

/** In place of a value that is kept, which nobody is shown. */
export const HIDDEN_VALUE = '********';

const MAX_HEADERS = 20;
const MAX_NAME = 64;
const MAX_VALUE = 2_048;
/** Of names and values together: what usual receivers take with room for those of ours. */
const MAX_CHARACTERS = 8_192;

const NAME = /^[A-Za-z0-9-]+$/;
/** Spaces at the ends would not arrive. */
const VALUE = /^(?! )[\x20-\x7e]*(?<! )$/;

/** Those of the connection (RFC 9110, section 7.6.1) and of the message, and what says how the request came or whose trace it is. */
const OURS = new Set([
  'accept-encoding',
  'baggage',
  'connection',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);
const OUR_BEGINNINGS = ['content-', 'webhook-', 'x-forwarded-'];

/** Tells whether a header belongs to the connection or to us. */
function isOurs(name: string, prefix: string): boolean {
  const lower = name.toLowerCase();
  return OURS.has(lower) || [...OUR_BEGINNINGS, `${prefix.toLowerCase()}-`].some((start) => lower.startsWith(start));
}

/** The members of a request's `headers`; undefined where they are no headers, and then `problems` tell why. */
export function readHeaders(
  headers: JsonObject,
  prefix: string,
): { readonly given: readonly GivenHeader[]; readonly problems: readonly FieldProblem[] } {
  const given = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const names = given.map(({ name }) => name.toLowerCase());
  const problems = given.flatMap(({ name, value }, index) => {
    const at = (code: string, detail: string) => [{ path: `/headers${toPointerToken(name)}`, code, detail }];
    if (!NAME.test(name) || name.length > MAX_NAME)
      return at('INVALID_HEADER_NAME', `A name has 1 to ${MAX_NAME} letters, digits and hyphens`);
    if (names.indexOf(name.toLowerCase()) !== index)
      return at('HEADER_TWICE', 'The case of a name makes no difference');
    if (isOurs(name, prefix)) return at('HEADER_RESERVED', 'This header belongs to the connection, or is ours to set');
    if (!isValue(value))
      return at('INVALID_HEADER_VALUE', `A value is text of at most ${MAX_VALUE} printable ASCII characters`);
    return [];
  });
  // What is not text is among the problems.
  return { given: problems.length > 0 ? [] : (given as readonly GivenHeader[]), problems };
}

/** What is wrong with hidden values, as a caller has read them: each stands for one that is kept under the same name. */
export function checkHiddenValues(
  given: readonly GivenHeader[],
  kept: readonly { readonly name: string }[],
): readonly FieldProblem[] {
  const detail = 'Asterisks stand for a value that is kept, and there is none of this name';
  return given
    .filter(({ name, value }) => value === HIDDEN_VALUE && !kept.some((header) => isSameName(header.name, name)))
    .map(({ name }) => ({ path: `/headers${toPointerToken(name)}`, code: 'HIDDEN_HEADER_VALUE', detail }));
}

/** Field names are the same in any case (RFC 9110, section 5.1). */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What is wrong with all headers of a webhook together. */
export function checkHeaderSizes(headers: readonly { readonly name: string; readonly size: number }[]): FieldProblem[] {
  const path = '/headers';
  const characters = headers.reduce((sum, { name, size }) => sum + name.length + size, 0);
  return [
    ...(headers.length > MAX_HEADERS
      ? [{ path, code: 'TOO_MANY_HEADERS', detail: `A webhook has at most ${MAX_HEADERS} headers` }]
      : []),
    ...(characters > MAX_CHARACTERS
      ? [{ path, code: 'TOO_LARGE', detail: `Headers have at most ${MAX_CHARACTERS} characters together` }]
      : []),
  ];
}

function isValue(value: JsonValue): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= MAX_VALUE && VALUE.test(value));
}
