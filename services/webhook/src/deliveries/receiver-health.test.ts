import { describe, expect, it } from 'vitest';
import { healthAfter, type Outcome, openedBreaker, type ReceiverHealth, UNKNOWN_HEALTH } from './receiver-health.ts';

const NOW = Date.UTC(2030, 0, 1);

function afterOutcomes(outcomes: readonly Outcome[], before: ReceiverHealth = UNKNOWN_HEALTH): ReceiverHealth {
  return outcomes.reduce(
    (health, outcome) => healthAfter(health, { outcome, ms: 1, now: NOW, maxConcurrency: 4 }),
    before,
  );
}

describe('a webhook', () => {
  it('starts with one attempt at a time, and doubles with each delivery, up to the limit', () => {
    const limits = [1, 2, 3].map((count) => afterOutcomes(Array(count).fill('delivered')).concurrency);
    expect([UNKNOWN_HEALTH.concurrency, ...limits]).toEqual([1, 2, 4, 4]);
  });

  it('halves its concurrency after a bad status, and drops to one without a reply', () => {
    const proven = afterOutcomes(['delivered', 'delivered']);
    expect(afterOutcomes(['bad_status'], proven).concurrency).toBe(2);
    expect(afterOutcomes(['no_reply'], proven).concurrency).toBe(1);
  });

  it('is slow after a slow attempt, until a fast one', () => {
    const slow = healthAfter(UNKNOWN_HEALTH, { outcome: 'delivered', ms: 400, now: NOW, maxConcurrency: 4 });
    expect(slow.latency).toBe('slow');
    expect(afterOutcomes(['delivered'], slow).latency).toBe('fast');
  });
});

describe('a breaker', () => {
  it.each<[string, Outcome[], boolean]>([
    ['four bad statuses in a row', Array(4).fill('bad_status'), false],
    ['five bad statuses in a row', Array(5).fill('bad_status'), true],
    ['two attempts without a reply', Array(2).fill('no_reply'), false],
    ['three attempts without a reply', Array(3).fill('no_reply'), true],
    ['failures with a delivery in between', ['no_reply', 'no_reply', 'delivered', 'no_reply'], false],
  ])('after %s is open: %s', (_case, outcomes, isOpen) => {
    expect(afterOutcomes(outcomes).breaker !== undefined).toBe(isOpen);
  });

  it('doubles its pause each time, up to a minute, and closes with a delivery', () => {
    let health = afterOutcomes(Array(5).fill('bad_status'));
    const pauses: (number | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) {
      pauses.push(health.breaker?.pauseMs);
      health = afterOutcomes(['bad_status'], health);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(openedBreaker({ until: 0, pauseMs: 5_000 }, NOW)).toEqual({ until: NOW + 10_000, pauseMs: 10_000 });
    expect(afterOutcomes(['delivered'], health)).toMatchObject({ failureScore: 0, breaker: undefined });
  });
});
