import type { IncomingHttpHeaders } from 'node:http';
import { headers } from '@survey/runtime/rpc/headers';
import type { Response } from 'express';
import { callOf } from '../http/call.ts';
import { cleanResponseHeaders } from './header-rules.ts';

/** The headers of a service's answer as the caller gets them; what they tell of the tenant is noted. */
export function toClientHeaders(answer: IncomingHttpHeaders, response: Response): IncomingHttpHeaders {
  const call = callOf(response);
  const tenant = answer[headers.tenant];
  if (typeof tenant === 'string') call.tenantId ??= tenant;
  const cleaned = cleanResponseHeaders(answer);
  const vary = response.getHeader('vary');
  if (vary !== undefined) cleaned.vary = cleaned.vary === undefined ? String(vary) : `${cleaned.vary}, ${vary}`;
  // The listener has said so when it is draining.
  const ends = !call.keepAlive || response.getHeader('connection') === 'close';
  cleaned.connection = ends ? 'close' : 'keep-alive';
  return cleaned;
}
