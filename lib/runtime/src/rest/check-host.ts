import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';

/**
 * Throws `INVALID_REQUEST` unless there is one Host header; a request of HTTP/1.0 may have none. RFC 9112, section 3.2.
 * Our listeners leave this to their handlers, who answer it as any error.
 */
export function checkHost({ httpVersion, headersDistinct }: IncomingMessage): void {
  const count = headersDistinct['host']?.length ?? 0;
  if (count > 1 || (count === 0 && httpVersion !== '1.0'))
    throw new AppError('INVALID_REQUEST', { detail: 'There has to be one Host header' });
}
