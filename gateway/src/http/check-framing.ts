import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';

/**
 * Throws `INVALID_REQUEST` when a body is encoded in another way than in chunks alone, or so in HTTP/1.0, which does not
 * know chunks: who stands before the gateway may see its end somewhere else. RFC 9112, sections 6.1 and 6.3. Nothing
 * that comes behind it is listened to.
 */
export function createFramingCheck(): (request: IncomingMessage, response: ServerResponse) => void {
  const spoiled = new WeakSet<Socket>();

  return (request, response) => {
    if (isSound(request) && !spoiled.has(request.socket)) return;
    spoiled.add(request.socket);
    response.setHeader('connection', 'close');
    throw new AppError('INVALID_REQUEST', { detail: 'A body can be encoded in chunks, and in no other way' });
  };
}

function isSound({ headers, httpVersion }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding'];
  return encoding === undefined || (encoding.toLowerCase() === 'chunked' && httpVersion === '1.1');
}
