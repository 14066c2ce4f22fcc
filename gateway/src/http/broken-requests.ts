import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import { headers, requestIdOf } from '@survey/runtime/rpc/headers';

/** Answers what is no HTTP (and so reaches no handler) with the same kind of body as everything else. */
export function answerBrokenRequests(server: Server): void {
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request: IncomingMessage, response) => answering.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = answering.get(socket);
    const midway = begun?.headersSent === true && !begun.writableFinished;
    if (!socket.writable || midway) socket.destroy();
    else socket.end(toBytes(new AppError('INVALID_REQUEST', { detail: toDetail(error) })));
  });
}

function toDetail({ code }: NodeJS.ErrnoException): string {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long to arrive' : 'The request is no valid HTTP';
}

function toBytes(error: AppError): string {
  const requestId = requestIdOf(undefined);
  const problem = toProblem(error, requestId);
  const body = JSON.stringify(problem.body);
  const lines = Object.entries({
    ...problem.headers,
    [headers.requestId]: requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} Bad Request\r\n${lines.join('')}\r\n${body}`;
}
