import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../errors/app-error.ts';
import { toProblem } from './problem.ts';
import { hasBody } from './request-body.ts';

/** How long the rest of a body is read and thrown away after the answer. */
const LINGER_MS = 2_000;

/** Answers with an error; an answer that has begun is cut off, so that nobody takes it for a whole one. Never throws. */
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
  // What is left of the body would be taken for the next request; closing at once would reset the connection under
  // the answer, before a caller that is still writing reads it.
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
