import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withTimeLimit } from './retry.ts';

const LIMIT_MS = 100;
const unused = () => expect.unreachable('there is no timeout');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('work with a time limit', () => {
  it('gives its result or error in time, and leaves no timer', async () => {
    expect(await withTimeLimit(Promise.resolve(1), LIMIT_MS, unused)).toBe(1);
    await expect(withTimeLimit(Promise.reject(new Error('broken')), LIMIT_MS, unused)).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is replaced by a value or an error after the limit, and may fail later', async () => {
    const { promise: work, reject } = Promise.withResolvers<number>();
    const [known, failed] = [
      withTimeLimit(work, LIMIT_MS, () => 2),
      withTimeLimit(work, LIMIT_MS, () => {
        throw new Error('too late');
      }),
    ];
    const results = Promise.allSettled([known, failed]);
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect(await results).toMatchObject([{ value: 2 }, { reason: { message: 'too late' } }]);
    reject(new Error('broken'));
    // An unhandled rejection would fail the run.
    await turn();
  });
});
