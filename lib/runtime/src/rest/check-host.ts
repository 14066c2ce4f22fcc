import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { headerLines } from './header-lines.ts';

/**
 * Throws `INVALID_REQUEST` unless there is exactly one Host header; HTTP/1.0 may omit it. RFC 9112, section 3.2. Node's
 * own check is turned off, so that the error has the usual format.
 */
export function checkHost(request: IncomingMessage): void {
  const { length } = headerLines(request, 'host');
  if (length > 1 || (length === 0 && request.httpVersion !== '1.0'))
    throw new AppError('INVALID_REQUEST', { detail: 'There must be one Host header' });
}
