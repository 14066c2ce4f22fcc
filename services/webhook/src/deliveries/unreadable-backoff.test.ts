import { describe, expect, it } from 'vitest';
import { pauseAfter } from './answers.ts';

const DAY_S = 24 * 60 * 60;

/** All pauses. Seconds. */
function pauses(): readonly number[] {
  const found: number[] = [];
  for (let pause = pauseAfter(1); pause !== undefined; pause = pauseAfter(found.length + 1)) found.push(pause / 1000);
  return found;
}

describe('pauseAfter', () => {
  it('grows up to ten minutes', () => {
    expect(pauses().slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    expect(Math.max(...pauses())).toBe(600);
  });

  it('is undefined after about a day', () => {
    const seconds = pauses().reduce((sum, pause) => sum + pause, 0);
    expect(seconds).toBeGreaterThan(0.9 * DAY_S);
    expect(seconds).toBeLessThan(1.1 * DAY_S);
  });
});
