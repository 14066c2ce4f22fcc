import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRetrySchedule, parseRetryAfter } from './delivery.ts';

const seconds = [5, 20, 80, 320, 600];
/** Ten minutes, minus ten seconds to start the next attempt. */
const LONGEST_MS = 590_000;
const now = new Date('2026-01-01T00:00:00Z');
const scheduleWith = (random: number) => createRetrySchedule({ seconds, random: () => random, clock: () => now });
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the retry schedule', () => {
  it('has the configured pauses at the middle of its jitter', () => {
    const delays = seconds.map((_, index) => scheduleWith(0.5).delayAfter(index + 1, {}));
    expect(delays).toEqual([5_000, 20_000, 80_000, 320_000, LONGEST_MS]);
  });

  it('ends after the last retry', () => {
    expect(scheduleWith(0).delayAfter(6, { statusCode: 503, retryAfter: '1' })).toBeUndefined();
  });

  it('varies by at most 20 %, and never exceeds ten minutes', () => {
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 5 }), (random, attempt) => {
        const pause = (seconds[attempt - 1] ?? 0) * 1000;
        const delay = scheduleWith(random).delayAfter(attempt, {}) ?? -1;
        expect(delay).toBeGreaterThanOrEqual(pause * 0.8);
        expect(delay).toBeLessThanOrEqual(Math.min(pause * 1.2, LONGEST_MS));
      }),
    );
  });

  it('is extended only by Retry-After of 429 and 503, never shortened, and never exceeds ten minutes', () => {
    const retryAfter = fc.oneof(
      fc.nat().map(String),
      fc.double({ min: 0, noNaN: true }).map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.string(),
    );
    fc.assert(
      fc.property(
        unit,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 300, max: 599 }),
        retryAfter,
        (random, attempt, statusCode, requested) => {
          const plain = scheduleWith(random).delayAfter(attempt, { statusCode }) ?? -1;
          const delay = scheduleWith(random).delayAfter(attempt, { statusCode, retryAfter: requested }) ?? -1;
          expect(delay).toBeGreaterThanOrEqual(plain);
          expect(delay).toBeLessThanOrEqual(LONGEST_MS);
          if (statusCode !== 429 && statusCode !== 503) expect(delay).toBe(plain);
        },
      ),
    );
  });

  it('starts the last retry within ten minutes, including the search and the wait for a slot', () => {
    for (const random of [0.5, 0.9]) expect(scheduleWith(random).delayAfter(5, {})).toBe(LONGEST_MS);
    expect(scheduleWith(0).delayAfter(5, {})).toBe(480_000);
  });

  it('waits as long as Retry-After requests', () => {
    expect(scheduleWith(0.5).delayAfter(1, { statusCode: 429, retryAfter: '30' })).toBe(30_000);
    expect(scheduleWith(0.5).delayAfter(1, { statusCode: 503, retryAfter: '99999' })).toBe(LONGEST_MS);
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 1.5 ', 1_500],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['-5', 0],
    ['1e3', 0],
    ['soon', 0],
    ['', 0],
    ['2026-01-02', 0],
  ])('reads %j as %d ms', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});
