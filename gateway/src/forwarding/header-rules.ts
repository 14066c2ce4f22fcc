import type { IncomingHttpHeaders } from 'node:http';

/** Of one connection, not of the message: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'upgrade'];
/** Who is behind a request is for the gateway to say; cookies mean nothing here; `expect` has been answered. */
const FROM_OUTSIDE = [
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'x-real-ip',
  // Traces begin at the gateway.
  'traceparent',
  'tracestate',
  'baggage',
];
const PREFIXES = ['proxy-', 'x-forwarded-', 'x-survey-'];
/** How long a body is can be no hop's private matter, whatever `Connection` says: requests would run together. */
const FRAMING = ['content-length', 'transfer-encoding', 'host'];

/** Takes off a request what may not reach a service as it came. */
export function cleanRequestHeaders(headers: IncomingHttpHeaders): void {
  removeHeaders(headers, new Set([...HOP_BY_HOP, ...FROM_OUTSIDE, ...connectionListed(headers)]));
}

/** Takes off an answer what is between service and gateway. */
export function cleanResponseHeaders(headers: IncomingHttpHeaders): void {
  removeHeaders(headers, new Set([...HOP_BY_HOP, 'x-request-id', ...connectionListed(headers)]));
}

function connectionListed({ connection = '' }: IncomingHttpHeaders): readonly string[] {
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !FRAMING.includes(name));
}

function removeHeaders(headers: IncomingHttpHeaders, names: ReadonlySet<string>): void {
  for (const name of Object.keys(headers)) {
    if (names.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))) delete headers[name];
  }
}
