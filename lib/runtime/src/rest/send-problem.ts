import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../errors/app-error.ts';
import { toProblem } from './problem.ts';
import { hasBody } from './request-body.ts';

/** Time to read and discard the rest of a body after the reply, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Replies with an error. If a reply has begun already, closes the connection instead, so that the caller does not take
 * that reply for complete. Never throws.
 */
export async function sendProblem(
  error: AppError,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers, body } = toProblem(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', bytes.length);
  if (request.complete || !hasBody(request)) {
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  // The rest of the body would be parsed as the next request, so close the connection. Closing it immediately could
  // reset it before the caller reads the reply.
  response.setHeader('connection', 'close');
  response.write(bytes);
  await readToEnd(request);
  response.end();
}

function readToEnd(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', done).once('close', done).resume();
  });
}
