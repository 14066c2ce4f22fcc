import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { testLog } from '@survey/runtime/testing/test-log';
import { describe, expect, it } from 'vitest';
import { type Breaker, type BreakerStore, createReceiverHealthRegistry } from './receiver-health.ts';

const NOW = Date.UTC(2030, 0, 1);
const webhook = { tenantId: toTenantId('tenant-1'), webhookId: 'webhook-1' };
const stateAt = (revision: number) => ({ id: 'webhook-1', revision, breaker: undefined, failingSince: undefined });

function start() {
  const written: [number, Breaker | undefined][] = [];
  const store: BreakerStore = {
    write: async ({ revision }, breaker) => void written.push([revision, breaker]),
    takeProbe: async () => ({ kind: 'mine' }),
  };
  const health = createReceiverHealthRegistry({ store, maxConcurrency: 4, clock: () => new Date(NOW), log: testLog });
  const fail = (revision: number) => health.record({ ...webhook, revision }, 'no_reply', 1);
  return { health, fail, written };
}

describe('attempts that fail', () => {
  it('open the breaker of the revision that they were sent to', () => {
    const { health, fail, written } = start();
    health.adoptState(stateAt(1));
    for (let n = 0; n < 3; n += 1) fail(1);
    const breaker = { until: NOW + 5_000, pauseMs: 5_000 };
    expect(health.of('webhook-1').breaker).toEqual(breaker);
    expect(written).toEqual([[1, breaker]]);
  });

  it('at an earlier revision do not count for the changed webhook', () => {
    const { health, fail, written } = start();
    health.adoptState(stateAt(1));
    fail(1);
    health.adoptState(stateAt(2));
    for (let n = 0; n < 3; n += 1) fail(1);
    expect(health.of('webhook-1')).toMatchObject({ failureScore: 0, breaker: undefined, revision: 2 });
    fail(2);
    expect(health.of('webhook-1').failureScore).toBe(2);
    expect(written).toEqual([]);
  });

  it('at a newer revision than known start from an unknown health', () => {
    const { health, fail } = start();
    for (let n = 0; n < 3; n += 1) fail(1);
    expect(health.of('webhook-1').breaker).toBeDefined();
    fail(2);
    expect(health.of('webhook-1')).toMatchObject({ failureScore: 2, breaker: undefined, revision: 2 });
  });
});
