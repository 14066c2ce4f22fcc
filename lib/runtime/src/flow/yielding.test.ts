import { afterEach, describe, expect, it, vi } from 'vitest';
import { createYieldIfDue } from './yielding.ts';

afterEach(() => void vi.restoreAllMocks());

describe('a computation that yields', () => {
  it('lets other work run once in ten milliseconds', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const yieldIfDue = createYieldIfDue();
    const yielded: number[] = [];
    for (now = 1; now <= 25; now += 1) {
      let hasOtherRun = false;
      const other = setImmediate(() => {
        hasOtherRun = true;
      });
      await yieldIfDue();
      clearImmediate(other);
      if (hasOtherRun) yielded.push(now);
    }
    expect(yielded).toEqual([10, 20]);
  });

  it('lets other work run when a slice of time is used up', async () => {
    let time = 0;
    const yieldIfDue = createYieldIfDue(5, () => time);
    expect(yieldIfDue()).toBeUndefined();
    time = 5;
    const yielded = yieldIfDue();
    expect(yielded).toBeInstanceOf(Promise);
    await yielded;
    expect(yieldIfDue()).toBeUndefined();
  });
});
