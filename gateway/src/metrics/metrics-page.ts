import { createHash, timingSafeEqual } from 'node:crypto';
import { routeNotFound } from '@survey/runtime/rest/router';
import { contentTypes } from '@survey/runtime/telemetry/metrics-text';
import type { Request, Response } from 'express';
import { BEARER_SCHEME, toAuthenticationError } from '../tokens/token-format.ts';
import type { PlatformMetrics } from './platform-metrics.ts';

/** Settings of `/metrics` of the public port. */
export interface MetricsPageSettings {
  /** Bearer token that callers must send. */
  readonly metricsToken: string | undefined;
  /** The content of the page if there is no `metricsToken`: none, sums over all tenants and surveys, or everything. */
  readonly metricsPage: 'off' | 'totals' | 'public';
}

/** Serves `/metrics`. If a token is set, callers must send it. If none is set, `metricsPage` selects the content. */
export function createMetricsPage(metrics: PlatformMetrics, settings: MetricsPageSettings) {
  const { metricsToken: token, metricsPage } = settings;
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return async (request: Request, response: Response): Promise<void> => {
    const authorization = request.get('authorization');
    // Digests have a fixed length, so the comparison does not leak the length of the token.
    if (expected !== undefined && !timingSafeEqual(digest(authorization ?? ''), expected)) {
      if (authorization === undefined) throw toAuthenticationError('missing');
      // Report any wrong token as `malformed`: the reply says only that the token is invalid.
      throw toAuthenticationError(BEARER_SCHEME.test(authorization) ? 'malformed' : 'scheme');
    }
    if (token === undefined && metricsPage === 'off') throw routeNotFound(request);
    const page = await (token === undefined && metricsPage === 'totals' ? metrics.totals() : metrics.full());
    response.setHeader('cache-control', 'no-store');
    response.type(contentTypes.text).send(page);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
