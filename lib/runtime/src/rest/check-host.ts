import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { headerLines } from './header-lines.ts';

/**
 * Throws `INVALID_REQUEST` unless there is one Host header; a request of HTTP/1.0 may have none. RFC 9112, section 3.2.
 * Our listeners leave this to their handlers, who answer it as any error.
 */
export function checkHost(request: IncomingMessage): void {
  const { length } = headerLines(request, 'host');
  if (length > 1 || (length === 0 && request.httpVersion !== '1.0'))
    throw new AppError('INVALID_REQUEST', { detail: 'There has to be one Host header' });
}
