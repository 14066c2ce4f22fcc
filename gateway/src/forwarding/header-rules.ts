import type { IncomingHttpHeaders } from 'node:http';
import { headerNames } from '@survey/runtime/rpc/headers';
import type { Response } from 'express';
import { callOf } from '../http/call.ts';

/** Headers of one connection, not of the message: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'upgrade'];
/** Client headers that services must not trust or do not need. */
const CLIENT_ONLY = [
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'x-real-ip',
  // Traces start at the gateway.
  'traceparent',
  'tracestate',
  'baggage',
];
/** Headers of the platform and of proxies. Also CORS headers, because only `cors.ts` may set them. */
const NEVER_COPIED = /^(?:access-control-|proxy-|x-(?:forwarded|internal|survey|tenant|user)-)/;
/** Headers that `Connection` cannot remove. Without a length, a body would be read as the next request. */
const NOT_REMOVABLE_BY_CONNECTION = ['content-length', 'transfer-encoding', 'host'];

const NOT_IN_REQUESTS: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...CLIENT_ONLY]);
/** The gateway frames the reply itself, and sets the request id. */
const NOT_IN_REPLIES: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'transfer-encoding', 'x-request-id']);

/** The headers of a request that a service may see. */
export const cleanRequestHeaders = createCleaner(NOT_IN_REQUESTS);

/** The headers of a reply that a client may see. */
export const cleanResponseHeaders = createCleaner(NOT_IN_REPLIES);

/**
 * Creates a function that copies headers, without those in `names`, in `NEVER_COPIED` and in the value of `Connection`.
 * V8 reads a copy faster than an object whose members were deleted.
 */
function createCleaner(names: ReadonlySet<string>) {
  return (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
    const { connection = 'keep-alive' } = headers;
    const listed = connection === 'keep-alive' ? [] : connection.split(',').map((name) => name.trim().toLowerCase());
    const cleaned: IncomingHttpHeaders = {};
    for (const name of Object.keys(headers)) {
      if (names.has(name) || NEVER_COPIED.test(name)) continue;
      if (listed.includes(name) && !NOT_REMOVABLE_BY_CONNECTION.includes(name)) continue;
      cleaned[name] = headers[name];
    }
    return cleaned;
  };
}

/** Converts the reply headers of a service for the client. Copies the tenant to the call, for logs and metrics. */
export function finishReplyHeaders(replyHeaders: IncomingHttpHeaders, response: Response): IncomingHttpHeaders {
  const call = callOf(response);
  const tenant = replyHeaders[headerNames.tenant];
  if (typeof tenant === 'string') call.tenantId ??= tenant;
  const cleaned = cleanResponseHeaders(replyHeaders);
  const vary = response.getHeader('vary');
  if (vary !== undefined) cleaned.vary = cleaned.vary === undefined ? String(vary) : `${cleaned.vary}, ${vary}`;
  // The listener sets `close` while it drains.
  const closes = !call.keepAlive || response.getHeader('connection') === 'close';
  cleaned.connection = closes ? 'close' : 'keep-alive';
  return cleaned;
}
