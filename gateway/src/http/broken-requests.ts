import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import { headers, requestIdOf } from '@survey/runtime/rpc/headers';
import type { SecurityHeaders } from './security-headers.ts';

/** Answers what reaches no handler, no HTTP and wishes for tunnels, with the same kind of body as everything else. */
export function answerBrokenRequests(server: Server, securityHeaders: SecurityHeaders): void {
  const exchanges = new WeakMap<Socket, Set<ServerResponse>>();
  const ending = new WeakSet<Socket>();
  const runningOn = (socket: Socket): readonly ServerResponse[] => [...(exchanges.get(socket) ?? [])];

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    let running = exchanges.get(socket);
    if (running === undefined) {
      running = new Set();
      exchanges.set(socket, running);
    }
    const own = running.add(response);
    response.once('close', () => own.delete(response));
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const running = runningOn(socket);
    const whole = running.findLast(({ req }) => req.complete);
    if (!socket.writable) {
      socket.destroy();
    } else if (whole !== undefined) {
      // It came behind sound requests, and would be taken for the answer to the first of them.
      if (!ending.has(socket)) whole.once('close', () => socket.destroySoon());
      ending.add(socket);
    } else if (running.some(({ headersSent }) => headersSent)) {
      // With what has been written of it: it may be a refusal.
      socket.destroySoon();
    } else {
      socket.end(
        toBytes(new AppError('INVALID_REQUEST', { detail: toDetail(error) }), requestIdOf(undefined), securityHeaders),
      );
    }
  });

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const running = runningOn(socket);
    // From here on Node looks after neither the connection nor what still runs on it.
    socket.on('error', () => undefined);
    for (const response of running) response.destroy();
    if (running.length > 0) return;
    const requestId = requestIdOf(request.headersDistinct[headers.requestId]?.[0]);
    socket.write(toBytes(new AppError('ROUTE_NOT_FOUND'), requestId, securityHeaders));
    socket.destroySoon();
  });
}

function toDetail({ code }: NodeJS.ErrnoException): string {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long to arrive' : 'The request is no valid HTTP';
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
