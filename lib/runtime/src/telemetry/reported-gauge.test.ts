import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { createReportedGauge } from './reported-gauge.ts';

it('keeps the last value while a measurement takes too long, and does not delay the other metrics', async () => {
  const registry = new Registry();
  const measured = Promise.withResolvers<void>();
  let isSlow = false;
  createReportedGauge({
    name: 'jobs_due',
    help: 'Jobs that wait',
    async measure(gauge) {
      if (isSlow) await measured.promise;
      gauge.set(isSlow ? 7 : 3);
    },
    timeoutMs: 50,
    isReporter: async () => true,
    registry,
    log: testLog,
  });
  expect(await registry.metrics()).toContain('jobs_due 3\n');
  isSlow = true;
  expect(await registry.metrics()).toContain('jobs_due 3\n');
  measured.resolve();
  await expect.poll(() => registry.metrics()).toContain('jobs_due 7\n');
});
