import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { type Backlog, measureBacklog } from './reported-gauge.ts';

function setUp(measure: () => Promise<Backlog>, isReporter = true) {
  const registry = new Registry();
  measureBacklog({
    measure,
    count: { name: 'jobs_due', help: 'Jobs that wait' },
    oldest: { name: 'oldest_due_seconds', help: 'For how long the oldest job has waited' },
    isReporter: async () => isReporter,
    registry,
    log: testLog,
  });
  return registry;
}

describe('the gauges of a backlog', () => {
  it('are measured when they are read, once for both', async () => {
    let measured = 0;
    const registry = setUp(async () => {
      measured += 1;
      return { count: 7, oldestSeconds: 1.5 };
    });
    expect(await registry.metrics()).toBe(
      [
        '# HELP jobs_due Jobs that wait; one replica reports it for all.',
        '# TYPE jobs_due gauge',
        'jobs_due 7',
        '',
        '# HELP oldest_due_seconds For how long the oldest job has waited; one replica reports it for all.',
        '# TYPE oldest_due_seconds gauge',
        'oldest_due_seconds 1.5',
        '',
      ].join('\n'),
    );
    expect(measured).toBe(1);
  });

  it('are not measured while another replica reports them', async () => {
    const registry = setUp(() => Promise.reject(new Error('measured')), false);
    expect(await registry.metrics()).toMatch(/^jobs_due 0$.*^oldest_due_seconds 0$/ms);
  });

  it('keep the last value while measuring fails', async () => {
    let isAway = true;
    const registry = setUp(async () => {
      if (isAway) throw new Error('away');
      return { count: 3, oldestSeconds: 4 };
    });
    expect(await registry.metrics()).toMatch(/^jobs_due 0$/m);
    isAway = false;
    expect(await registry.metrics()).toMatch(/^jobs_due 3$.*^oldest_due_seconds 4$/ms);
  });
});
