import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { testLog } from '@survey/runtime/testing/test-log';
import { describe, expect, it } from 'vitest';
import type { Breaker } from './webhook-standing.ts';
import { type BreakerStore, createWebhookStandings } from './webhook-standings.ts';

const NOW = Date.UTC(2030, 0, 1);
const webhook = { tenantId: toTenantId('tenant-1'), webhookId: 'webhook-1' };
const stateAt = (revision: number) => ({ id: 'webhook-1', revision, breaker: undefined, failingSince: undefined });

function start() {
  const written: [number, Breaker | undefined][] = [];
  const store: BreakerStore = {
    write: async ({ revision }, breaker) => void written.push([revision, breaker]),
    takeProbe: async () => ({ kind: 'mine' }),
  };
  const standings = createWebhookStandings({ store, maxLimit: 4, clock: () => new Date(NOW), log: testLog });
  const fail = (revision: number) => standings.note({ ...webhook, revision }, 'no_answer', 1);
  return { standings, fail, written };
}

describe('attempts that fail', () => {
  it('open the breaker of the revision that they were sent to', () => {
    const { standings, fail, written } = start();
    standings.learn(stateAt(1));
    for (let n = 0; n < 3; n += 1) fail(1);
    const breaker = { until: NOW + 5_000, pauseMs: 5_000 };
    expect(standings.of('webhook-1').breaker).toEqual(breaker);
    expect(written).toEqual([[1, breaker]]);
  });

  it('and began before the webhook was changed do not count for it as it is now', () => {
    const { standings, fail, written } = start();
    standings.learn(stateAt(1));
    fail(1);
    standings.learn(stateAt(2));
    for (let n = 0; n < 3; n += 1) fail(1);
    expect(standings.of('webhook-1')).toMatchObject({ points: 0, breaker: undefined, revision: 2 });
    fail(2);
    expect(standings.of('webhook-1').points).toBe(2);
    expect(written).toEqual([]);
  });

  it('and are of a change that was not heard of yet begin anew', () => {
    const { standings, fail } = start();
    for (let n = 0; n < 3; n += 1) fail(1);
    expect(standings.of('webhook-1').breaker).toBeDefined();
    fail(2);
    expect(standings.of('webhook-1')).toMatchObject({ points: 2, breaker: undefined, revision: 2 });
  });
});
