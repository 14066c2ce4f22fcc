import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';

/**
 * Throws `INVALID_REQUEST` unless there is one Host header; a request of HTTP/1.0 may have none. RFC 9112, section 3.2.
 * Our listeners leave this to their handlers, who answer it as any error.
 */
export function checkHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) count += 1;
  if (count > 1 || (count === 0 && httpVersion !== '1.0'))
    throw new AppError('INVALID_REQUEST', { detail: 'There has to be one Host header' });
}

function isHost(name = ''): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
