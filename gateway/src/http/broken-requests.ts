import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import { headerNames, requestIdOf } from '@survey/runtime/rpc/headers';
import type { SecurityHeaders } from './security-headers.ts';

/** Replies with a problem body to malformed HTTP and to CONNECT, which reach no handler. */
export function handleBrokenRequests(server: Server, securityHeaders: SecurityHeaders): void {
  /** The incomplete responses of each connection, in the order of its requests. */
  const pendingResponses = new WeakMap<Socket, Set<ServerResponse>>();
  const closesAfterReply = new WeakSet<Socket>();
  const pendingOn = (socket: Socket): readonly ServerResponse[] => [...(pendingResponses.get(socket) ?? [])];

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = pendingResponses.get(socket) ?? new Set();
    pendingResponses.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const responses = pendingOn(socket);
    const lastComplete = responses.findLast(({ req }) => req.complete);
    if (!socket.writable) {
      socket.destroy();
    } else if (lastComplete !== undefined) {
      // Send no error: the client would take it for the reply to an earlier request. Close the connection after that
      // reply.
      if (!closesAfterReply.has(socket)) lastComplete.once('close', () => socket.destroySoon());
      closesAfterReply.add(socket);
    } else if (responses.some(({ headersSent }) => headersSent)) {
      // The reply to this request has begun, so an error cannot be sent. Send the bytes already written, and close.
      socket.destroySoon();
    } else {
      socket.end(toRawReply(toAppError(error), requestIdOf(undefined), securityHeaders));
    }
  });

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const responses = pendingOn(socket);
    // Node does not manage a connection after CONNECT: without a listener, an error of the socket would end the
    // process.
    socket.on('error', () => undefined);
    for (const response of responses) response.destroy();
    // Destroying a response has closed the connection.
    if (responses.length > 0) return;
    const requestId = requestIdOf(request.headersDistinct[headerNames.requestId]?.[0]);
    socket.write(toRawReply(new AppError('ROUTE_NOT_FOUND'), requestId, securityHeaders));
    socket.destroySoon();
  });
}

/** Maps an error of the HTTP parser. Clients may retry after a timeout, because this process may have stalled. */
function toAppError({ code }: NodeJS.ErrnoException): AppError {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new AppError('DEADLINE_EXCEEDED', { detail: 'The request took too long to arrive' })
    : new AppError('INVALID_REQUEST', { detail: 'The request is not valid HTTP' });
}

function toRawReply(error: AppError, requestId: string, securityHeaders: SecurityHeaders): string {
  const problem = toProblem(error, requestId);
  const body = JSON.stringify(problem.body);
  const lines = Object.entries({
    ...securityHeaders,
    ...problem.headers,
    [headerNames.requestId]: requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}
