import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { type RetryPolicy, retry } from './retry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const policy: RetryPolicy = { maxRetries: 4, maxRetryWaitMs: 60_000, isRepeatable: false };
const failure = (status: number, retryAfterSeconds?: number) =>
  new ApiError('failed', { code: 'UNAVAILABLE', status, retryAfterSeconds });

/** An attempt that fails with these errors, then succeeds. */
function failing(...errors: readonly unknown[]) {
  const rest = [...errors];
  return vi.fn(async () => {
    if (rest.length > 0) throw rest.shift();
    return 'done';
  });
}

describe('a request', () => {
  it.each([429, 503])('is repeated after %i', async (status) => {
    const attempt = failing(failure(status), failure(status));
    const result = retry(attempt, policy);
    await vi.runAllTimersAsync();
    await expect(result).resolves.toBe('done');
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it.each([0, 502, 504])('is repeated after status %i only if it is repeatable', async (status) => {
    const once = failing(failure(status));
    await expect(retry(once, policy)).rejects.toMatchObject({ status });
    const repeated = retry(failing(failure(status)), { ...policy, isRepeatable: true });
    await vi.runAllTimersAsync();
    await expect(repeated).resolves.toBe('done');
  });

  it.each([400, 401, 404, 409, 412, 422, 500])('is not repeated after %i', async (status) => {
    const attempt = failing(failure(status));
    await expect(retry(attempt, { ...policy, isRepeatable: true })).rejects.toMatchObject({ status });
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('is repeated at most as often as allowed, with the last error', async () => {
    const attempt = failing(...Array.from({ length: 9 }, (_, index) => failure(503, index / 1000)));
    const result = retry(attempt, policy);
    result.catch(() => undefined);
    await vi.runAllTimersAsync();
    await expect(result).rejects.toMatchObject({ status: 503, retryAfterSeconds: 0.004 });
    expect(attempt).toHaveBeenCalledTimes(5);
  });

  it('waits as long as Retry-After', async () => {
    const attempt = failing(failure(429, 12));
    const result = retry(attempt, policy);
    await vi.advanceTimersByTimeAsync(11_999);
    expect(attempt).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_001);
    await expect(result).resolves.toBe('done');
  });

  it('waits at most as long as allowed', async () => {
    const times: number[] = [];
    const start = Date.now();
    const failures = [failure(429, 60), failure(503)];
    const attempt = async () => {
      times.push(Date.now() - start);
      const next = failures.shift();
      if (next !== undefined) throw next;
      return 'done';
    };
    const result = retry(attempt, policy);
    await vi.runAllTimersAsync();
    await expect(result).resolves.toBe('done');
    expect(times[1]).toBe(60_000);
    failures.push(failure(503), failure(503));
    const short = retry(attempt, { ...policy, maxRetryWaitMs: 10 });
    await vi.runAllTimersAsync();
    await expect(short).resolves.toBe('done');
    expect(times.slice(-2).map((time, index) => time - (times.at(index - 3) ?? 0))).toEqual([10, 10]);
  });

  it('is not repeated after a 503 of a proxy, unless it is repeatable', async () => {
    const lost = new ApiError('upstream reset', { code: 'UNEXPECTED_REPLY', status: 503 });
    await expect(retry(failing(lost), policy)).rejects.toBe(lost);
    const repeated = retry(failing(lost), { ...policy, isRepeatable: true });
    await vi.runAllTimersAsync();
    await expect(repeated).resolves.toBe('done');
  });

  it('is not repeated if Retry-After is longer than allowed', async () => {
    const attempt = failing(failure(503, 61));
    await expect(retry(attempt, policy)).rejects.toMatchObject({ retryAfterSeconds: 61 });
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('waits longer each time without Retry-After', async () => {
    const times: number[] = [];
    const start = Date.now();
    const result = retry(async () => {
      times.push(Date.now() - start);
      throw failure(503);
    }, policy);
    result.catch(() => undefined);
    await vi.runAllTimersAsync();
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** index - 1);
      expect(wait).toBeLessThanOrEqual(250 * 2 ** index);
    });
  });

  it('ends its wait when the caller aborts', async () => {
    const caller = new AbortController();
    const attempt = failing(failure(503, 30));
    const result = retry(attempt, { ...policy, signal: caller.signal });
    result.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    caller.abort(new Error('not needed'));
    await expect(result).rejects.toThrow('not needed');
    expect(vi.getTimerCount()).toBe(0);
  });
});
