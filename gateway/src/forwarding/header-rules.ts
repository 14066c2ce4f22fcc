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
/** What the gateway, its services and proxies tell each other; `Access-Control` is for `cors.ts` alone. */
const OURS = /^(?:access-control-|proxy-|x-(?:forwarded|internal|survey|tenant|user)-)/;
/** How long a body is can be no hop's private matter, whatever `Connection` says: requests would run together. */
const FRAMING = ['content-length', 'transfer-encoding', 'host'];

const NOT_IN_REQUESTS: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...FROM_OUTSIDE]);
const NOT_IN_ANSWERS: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'transfer-encoding', 'x-request-id']);

/** The headers of a request without what may not reach a service as it came. */
export function cleanRequestHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, NOT_IN_REQUESTS);
}

/** The headers of an answer without what is between service and gateway. */
export function cleanResponseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, NOT_IN_ANSWERS);
}

/** Another object: one whose members are deleted is slow to read from then on. */
function without(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  const listed = connectionListed(headers);
  const kept: IncomingHttpHeaders = {};
  for (const name of Object.keys(headers)) {
    if (names.has(name) || OURS.test(name) || listed.includes(name)) continue;
    kept[name] = headers[name];
  }
  return kept;
}

function connectionListed({ connection }: IncomingHttpHeaders): readonly string[] {
  if (connection === undefined || connection === 'keep-alive') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !FRAMING.includes(name));
}
