import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';

/**
 * All unparsed values of a header, also of a repeated one. `name` must be in lower case. Takes a tenth of the time of
 * `headersDistinct`, which parses all headers.
 */
export function rawHeaderValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [key, value] = [rawHeaders[index] as string, rawHeaders[index + 1] as string];
    if (key.length === name.length && key.toLowerCase() === name) lines.push(value);
  }
  return lines;
}

/**
 * Throws `INVALID_REQUEST` unless there is exactly one Host header (RFC 9112, section 3.2); HTTP/1.0 may omit it.
 * Node's own check is turned off, so that the error has the format of the API.
 */
export function checkHost(request: IncomingMessage): void {
  const { length } = rawHeaderValues(request, 'host');
  if (length > 1 || (length === 0 && request.httpVersion !== '1.0'))
    throw new AppError('INVALID_REQUEST', { detail: 'There must be one Host header' });
}
