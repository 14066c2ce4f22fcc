import { describe, expect, it } from 'vitest';
import { createInFlightLimit } from './backend-proxy.ts';

/** A limit, and a function that observes replies every ten milliseconds while other requests wait. */
function create({ max = 512, waiting = 200 } = {}) {
  let time = 0;
  const limit = createInFlightLimit({ max, now: () => time, unanswered: () => waiting });
  return {
    current: limit.current,
    reply(times: number, ...durationsMs: readonly number[]) {
      for (let n = 0; n < times; n += 1) {
        for (const durationMs of durationsMs) {
          time += 10;
          limit.observe(durationMs);
        }
      }
    },
  };
}

describe('the limit of requests in flight', () => {
  it('stays the same while replies are fast', () => {
    const { current, reply } = create();
    reply(1_000, 200);
    expect(current()).toBe(512);
  });

  it('drops while all replies are slow, but not below 128', () => {
    const { current, reply } = create();
    reply(20, 400);
    expect(current()).toBeLessThan(512);
    reply(1_000, 5_000);
    expect(current()).toBe(128);
  });

  it('recovers when replies are fast', () => {
    const { current, reply } = create();
    reply(1_000, 5_000);
    reply(50, 20);
    expect(current()).toBeGreaterThan(128);
    expect(current()).toBeLessThan(512);
    reply(500, 20);
    expect(current()).toBe(512);
  });

  it('stays the same while slow replies are few, because there is no queue', () => {
    const { current, reply } = create({ waiting: 128 });
    reply(1_000, 5_000);
    expect(current()).toBe(512);
  });

  it('ignores slow replies if some are fast', () => {
    const { current, reply } = create();
    reply(200, 8_000, 8_000, 20, 8_000);
    expect(current()).toBe(512);
  });

  it('never exceeds a maximum below 128', () => {
    const { current, reply } = create({ max: 2 });
    reply(1_000, 5_000);
    expect(current()).toBe(2);
  });
});
