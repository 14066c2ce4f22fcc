import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Request, Response } from 'express';
import { Registry } from 'prom-client';

/** Serves `/metrics`. If `token` is set, requests need it as bearer token. */
export function createMetricsPage(read: () => Promise<string>, token: string | undefined) {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return async (request: Request, response: Response): Promise<void> => {
    // Digests have a fixed length, so the comparison does not leak the length of the token.
    if (expected !== undefined && !timingSafeEqual(digest(request.get('authorization') ?? ''), expected))
      throw new AppError('INVALID_TOKEN');
    const page = await read();
    response.setHeader('cache-control', 'no-store');
    response.type(Registry.PROMETHEUS_CONTENT_TYPE).send(page);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
