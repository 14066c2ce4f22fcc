import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

/** Buckets with a manual clock. */
function start(perMinute: number) {
  let time = 1_000;
  const buckets = createTokenBuckets({ perMinute, now: () => time });
  return {
    ...buckets,
    pass: (ms: number) => {
      time += ms;
    },
    takeSome: (tries: number, key = 'k') =>
      Array.from({ length: tries }, () => buckets.take(key)).filter((wait) => wait === 0).length,
  };
}

describe('a bucket', () => {
  it('allows a burst of half a minute, and then the rate', () => {
    const { takeSome, take, pass } = start(600);
    expect(takeSome(400)).toBe(300);
    expect(take('k')).toBe(100);
    pass(60);
    expect(take('k')).toBe(40);
    pass(40);
    expect(takeSome(2)).toBe(1);
    pass(1_000);
    expect(takeSome(20)).toBe(10);
    pass(3_600_000);
    expect(takeSome(400)).toBe(300);
  });

  it('belongs to one key', () => {
    const { takeSome } = start(600);
    expect([takeSome(400, 'one'), takeSome(400, 'other')]).toEqual([300, 300]);
  });

  it('holds at least one token', () => {
    const { takeSome, take, pass } = start(1);
    expect(takeSome(2)).toBe(1);
    expect(take('k')).toBe(60_000);
    pass(60_000);
    expect(takeSome(2)).toBe(1);
  });

  it('takes a token back, up to its capacity', () => {
    const { takeSome, giveBack } = start(600);
    expect(takeSome(301)).toBe(300);
    giveBack('k');
    expect(takeSome(2)).toBe(1);
    giveBack('other');
    expect(takeSome(400, 'other')).toBe(300);
  });

  it('can go into debt, by a minute of tokens at most', () => {
    const { takeAnyway, takeSome, waitFor, pass } = start(60);
    for (let count = 0; count < 40; count += 1) takeAnyway('k');
    expect(waitFor('k')).toBe(11_000);
    for (let count = 0; count < 1_000; count += 1) takeAnyway('k');
    expect(waitFor('k')).toBe(61_000);
    pass(61_000);
    expect(takeSome(2)).toBe(1);
  });

  it('never exceeds the burst plus the rate', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 50 })));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), steps, (perMinute, moments) => {
        const { takeSome, pass } = start(perMinute);
        let given = 0;
        let elapsed = 0;
        for (const [ms, tries] of moments) {
          pass(ms);
          elapsed += ms;
          given += takeSome(tries);
        }
        expect(given).toBeLessThanOrEqual(Math.ceil(perMinute / 2) + (elapsed * perMinute) / 60_000 + 0.001);
      }),
      { numRuns: 30 },
    );
  });
});
