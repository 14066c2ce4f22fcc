import { describe, expect, it } from 'vitest';
import { createInFlightLimit } from './in-flight-limit.ts';

/** A limit, and a way to let answers that take so long come in, ten milliseconds apart, again and again. */
function create(most = 512) {
  let time = 0;
  const limit = createInFlightLimit({ most, now: () => time });
  return {
    current: limit.current,
    answer(times: number, ...durationsMs: readonly number[]) {
      for (let n = 0; n < times; n += 1) {
        for (const durationMs of durationsMs) {
          time += 10;
          limit.observe(durationMs);
        }
      }
    },
  };
}

describe('the limit of requests under way', () => {
  it('stays where it is while answers are quick', () => {
    const { current, answer } = create();
    answer(1_000, 200);
    expect(current()).toBe(512);
  });

  it('sinks while all are slow, to 128 and no further', () => {
    const { current, answer } = create();
    answer(20, 400);
    expect(current()).toBeLessThan(512);
    answer(1_000, 5_000);
    expect(current()).toBe(128);
  });

  it('rises again, to where it was, once they are quick', () => {
    const { current, answer } = create();
    answer(1_000, 5_000);
    answer(50, 20);
    expect(current()).toBeGreaterThan(128);
    expect(current()).toBeLessThan(512);
    answer(500, 20);
    expect(current()).toBe(512);
  });

  it('does not mind slow ones among quick ones, though they are most', () => {
    const { current, answer } = create();
    answer(200, 8_000, 8_000, 20, 8_000);
    expect(current()).toBe(512);
  });

  it('is no more than the most when that is less than 128', () => {
    const { current, answer } = create(2);
    answer(1_000, 5_000);
    expect(current()).toBe(2);
  });
});
