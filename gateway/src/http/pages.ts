import { AppError } from '@survey/runtime/errors/app-error';
import type { Request, RequestHandler, Response } from 'express';
import { callOf } from './call.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

/** What a page of the gateway itself answers. */
export type Page = (request: Request, response: Response) => Promise<void> | void;

/**
 * Pages of the gateway itself by their paths, for reading only. One look tells that a request is for none of them. `enter`
 * comes before each that is, and may refuse it.
 */
export function servePages(pages: ReadonlyMap<string, Page>, enter: (request: Request) => void): RequestHandler {
  return async (request, response, next) => {
    const page = pages.get(request.path);
    if (page === undefined) {
      next();
      return;
    }
    callOf(response).endpoint = request.path;
    enter(request);
    if (request.method === 'GET' || request.method === 'HEAD') {
      await page(request, response);
      return;
    }
    response.setHeader('allow', ALLOW);
    if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
    response.status(204).end();
  };
}
