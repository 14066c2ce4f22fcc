import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import { headers, requestIdOf } from '@survey/runtime/rpc/headers';
import type { SecurityHeaders } from './security-headers.ts';

/** Rejects malformed HTTP and CONNECT requests, which reach no handler, with a problem body. */
export function handleBrokenRequests(server: Server, securityHeaders: SecurityHeaders): void {
  const exchanges = new WeakMap<Socket, Set<ServerResponse>>();
  const ending = new WeakSet<Socket>();
  const runningOn = (socket: Socket): readonly ServerResponse[] => [...(exchanges.get(socket) ?? [])];

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = exchanges.get(socket) ?? new Set();
    exchanges.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const responses = runningOn(socket);
    const lastComplete = responses.findLast(({ req }) => req.complete);
    if (!socket.writable) {
      socket.destroy();
    } else if (lastComplete !== undefined) {
      // Send no error now: the client would take it for the reply to an earlier request.
      if (!ending.has(socket)) lastComplete.once('close', () => socket.destroySoon());
      ending.add(socket);
    } else if (responses.some(({ headersSent }) => headersSent)) {
      // Flush the part of the reply that is already written: the handler may have reported this error.
      socket.destroySoon();
    } else {
      socket.end(toBytes(toAppError(error), requestIdOf(undefined), securityHeaders));
    }
  });

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const responses = runningOn(socket);
    // From now on, Node manages neither the connection nor its pending responses.
    socket.on('error', () => undefined);
    for (const response of responses) response.destroy();
    if (responses.length > 0) return;
    const requestId = requestIdOf(request.headersDistinct[headers.requestId]?.[0]);
    socket.write(toBytes(new AppError('ROUTE_NOT_FOUND'), requestId, securityHeaders));
    socket.destroySoon();
  });
}

/** A request can also be late because this process stalled. So clients may repeat it. */
function toAppError({ code }: NodeJS.ErrnoException): AppError {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new AppError('DEADLINE_EXCEEDED', { detail: 'The request took too long to arrive' })
    : new AppError('INVALID_REQUEST', { detail: 'The request is not valid HTTP' });
}

function toBytes(error: AppError, requestId: string, securityHeaders: SecurityHeaders): string {
  const problem = toProblem(error, requestId);
  const body = JSON.stringify(problem.body);
  const lines = Object.entries({
    ...securityHeaders,
    ...problem.headers,
    [headers.requestId]: requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}
