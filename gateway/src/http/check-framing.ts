import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';

/**
 * Throws `INVALID_REQUEST` if the transfer encoding is not just `chunked`, or if it is used with HTTP/1.0. A proxy may
 * disagree about where the body ends (RFC 9112, sections 6.1 and 6.3). Later requests on the connection fail too.
 */
export function createFramingCheck(): (request: IncomingMessage, response: ServerResponse) => void {
  const rejected = new WeakSet<Socket>();

  return (request, response) => {
    if (isValid(request) && !rejected.has(request.socket)) return;
    rejected.add(request.socket);
    response.setHeader('connection', 'close');
    throw new AppError('INVALID_REQUEST', {
      detail: 'Transfer-Encoding must be chunked, and needs HTTP/1.1',
    });
  };
}

function isValid({ headers, httpVersion }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding'];
  return encoding === undefined || (encoding.toLowerCase() === 'chunked' && httpVersion === '1.1');
}
