import { afterEach, describe, expect, it, vi } from 'vitest';
import { createYielding } from './yielding.ts';

afterEach(() => void vi.restoreAllMocks());

describe('a computation that yields', () => {
  it('lets other work run once in ten milliseconds', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const letOthersRun = createYielding();
    const yielded: number[] = [];
    for (now = 1; now <= 25; now += 1) {
      let hasOtherRun = false;
      const other = setImmediate(() => {
        hasOtherRun = true;
      });
      await letOthersRun();
      clearImmediate(other);
      if (hasOtherRun) yielded.push(now);
    }
    expect(yielded).toEqual([10, 20]);
  });
});
