import { AppError } from '@survey/runtime/errors/app-error';
import type { Express, Request, Response } from 'express';
import { callOf } from './call.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/** A page of the gateway itself, for reading only. */
export function addPage(
  app: Express,
  path: string,
  answer: (request: Request, response: Response) => Promise<void> | void,
): void {
  app.all(path, async (request, response) => {
    callOf(response).endpoint = path;
    if (request.method === 'GET' || request.method === 'HEAD') {
      await answer(request, response);
      return;
    }
    response.setHeader('allow', ALLOW);
    if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
    response.status(204).end();
  });
}
