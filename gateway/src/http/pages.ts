import { AppError } from '@survey/runtime/errors/app-error';
import type { Request, Response } from 'express';

const ALLOW = 'GET, HEAD, OPTIONS';

/** Sends a page of the gateway, such as `/docs`. */
export type PageHandler = (request: Request, response: Response) => Promise<void> | void;

/** Replies with a page. Throws `METHOD_NOT_ALLOWED` for methods that write. */
export async function replyWithPage(page: PageHandler, request: Request, response: Response): Promise<void> {
  if (request.method === 'GET' || request.method === 'HEAD') return page(request, response);
  response.setHeader('allow', ALLOW);
  if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
  response.status(204).end();
}
