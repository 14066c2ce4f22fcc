import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '@survey/runtime/errors/app-error';
import { contentTypes } from '@survey/runtime/telemetry/metrics-text';
import type { Request, Response } from 'express';
import type { PlatformMetrics } from './platform-metrics.ts';

/** Settings of `/metrics` of the public port. */
export interface MetricsPageSettings {
  /** Bearer token that requests need. */
  readonly metricsToken: string | undefined;
  /** The content of the page if there is no `metricsToken`. */
  readonly metricsPage: 'off' | 'totals' | 'public';
}

/** Serves `/metrics`: to callers with the token if one is set, otherwise as `metricsPage` says. */
export function createMetricsPage(metrics: PlatformMetrics, settings: MetricsPageSettings) {
  const { metricsToken: token, metricsPage } = settings;
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return async (request: Request, response: Response): Promise<void> => {
    // Digests have a fixed length, so the comparison does not leak the length of the token.
    if (expected !== undefined && !timingSafeEqual(digest(request.get('authorization') ?? ''), expected))
      throw new AppError('INVALID_TOKEN');
    if (token === undefined && metricsPage === 'off') throw new AppError('ROUTE_NOT_FOUND');
    const page = await (token === undefined && metricsPage === 'totals' ? metrics.totals() : metrics.full());
    response.setHeader('cache-control', 'no-store');
    response.type(contentTypes.text).send(page);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
