import type { IncomingHttpHeaders } from 'node:http';
import { headers } from '@survey/runtime/rpc/headers';
import type { Response } from 'express';
import { callOf } from '../http/call.ts';
import { cleanResponseHeaders } from './header-rules.ts';

/** Converts the headers of a service's reply for the client. Copies the tenant in these headers to the call. */
export function toClientHeaders(replyHeaders: IncomingHttpHeaders, response: Response): IncomingHttpHeaders {
  const call = callOf(response);
  const tenant = replyHeaders[headers.tenant];
  if (typeof tenant === 'string') call.tenantId ??= tenant;
  const cleaned = cleanResponseHeaders(replyHeaders);
  const vary = response.getHeader('vary');
  if (vary !== undefined) cleaned.vary = cleaned.vary === undefined ? String(vary) : `${cleaned.vary}, ${vary}`;
  // The listener sets `close` while it drains.
  const closes = !call.keepAlive || response.getHeader('connection') === 'close';
  cleaned.connection = closes ? 'close' : 'keep-alive';
  return cleaned;
}
