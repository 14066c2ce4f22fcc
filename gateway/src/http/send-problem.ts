import type { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import type { Request, Response } from 'express';
import { callOf } from './call.ts';

/** How long the rest of a body is read and thrown away after the answer. */
const LINGER_MS = 2_000;

/** Answers with an error; an answer that has begun is cut off, so that nobody takes it for a whole one. */
export async function sendProblem(error: AppError, request: Request, response: Response): Promise<void> {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers, body } = toProblem(error, callOf(response).requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  response.status(status);
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

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function readToEnd(request: Request): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', done).once('close', done).resume();
  });
}
