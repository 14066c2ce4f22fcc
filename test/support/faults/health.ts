import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import { createApi } from '../platform.ts';

/** Resolves when `/health` returns these checks with the matching status. */
export async function untilHealthIs(checks: { readonly database: boolean; readonly queue: boolean }): Promise<void> {
  const isHealthy = checks.database && checks.queue;
  const expected = { status: isHealthy ? 'healthy' : 'unhealthy', checks };
  await poll(
    async () => {
      const { status, body } = await createApi()('GET', '/health');
      expect([status, body]).toEqual([isHealthy ? 200 : 503, expected]);
      return true;
    },
    { intervalMs: 200 },
  );
}
