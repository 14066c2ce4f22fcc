import { describe, expect, it } from 'vitest';
import { after, type Outcome, openedAgain, type Standing, UNKNOWN } from './webhook-standing.ts';

const NOW = Date.UTC(2030, 0, 1);

function standingAfter(outcomes: readonly Outcome[], before: Standing = UNKNOWN): Standing {
  return outcomes.reduce((standing, outcome) => after(standing, { outcome, ms: 1, now: NOW, maxLimit: 4 }), before);
}

describe('a webhook', () => {
  it('begins with one attempt at a time, and has twice as many after each delivery, up to the limit', () => {
    const limits = [1, 2, 3].map((count) => standingAfter(Array(count).fill('delivered')).limit);
    expect([UNKNOWN.limit, ...limits]).toEqual([1, 2, 4, 4]);
  });

  it('has half as many after a bad status, and one where there was no answer', () => {
    const proven = standingAfter(['delivered', 'delivered']);
    expect(standingAfter(['bad_status'], proven).limit).toBe(2);
    expect(standingAfter(['no_answer'], proven).limit).toBe(1);
  });

  it('is slow after an attempt that took long, until one that did not', () => {
    const slow = after(UNKNOWN, { outcome: 'delivered', ms: 400, now: NOW, maxLimit: 4 });
    expect(slow.pace).toBe('slow');
    expect(standingAfter(['delivered'], slow).pace).toBe('prompt');
  });
});

describe('a breaker', () => {
  it.each<[string, Outcome[], boolean]>([
    ['four bad statuses in a row', Array(4).fill('bad_status'), false],
    ['five bad statuses in a row', Array(5).fill('bad_status'), true],
    ['two attempts without an answer', Array(2).fill('no_answer'), false],
    ['three attempts without an answer', Array(3).fill('no_answer'), true],
    ['failures with a delivery in between', ['no_answer', 'no_answer', 'delivered', 'no_answer'], false],
  ])('after %s is open: %s', (_what, outcomes, isOpen) => {
    expect(standingAfter(outcomes).breaker !== undefined).toBe(isOpen);
  });

  it('stays open for twice as long each time, a minute at the most, and closes with a delivery', () => {
    let standing = standingAfter(Array(5).fill('bad_status'));
    const pauses: (number | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) {
      pauses.push(standing.breaker?.pauseMs);
      standing = standingAfter(['bad_status'], standing);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(openedAgain({ until: 0, pauseMs: 5_000 }, NOW)).toEqual({ until: NOW + 10_000, pauseMs: 10_000 });
    expect(standingAfter(['delivered'], standing)).toMatchObject({ points: 0, breaker: undefined });
  });
});
