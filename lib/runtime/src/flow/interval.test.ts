import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startInterval } from './interval.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('calls after each interval until it is stopped', async () => {
  const call = vi.fn(async () => {});
  const interval = startInterval({ everyMs: 10, call });
  expect(call).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(30);
  expect(call).toHaveBeenCalledTimes(3);
  interval.stop();
  await vi.advanceTimersByTimeAsync(30);
  expect(call).toHaveBeenCalledTimes(3);
});

it('skips calls while one runs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const call = vi.fn(() => promise);
  const interval = startInterval({ everyMs: 10, call });
  await vi.advanceTimersByTimeAsync(50);
  expect(call).toHaveBeenCalledTimes(1);
  resolve();
  await vi.advanceTimersByTimeAsync(10);
  expect(call).toHaveBeenCalledTimes(2);
  interval.stop();
});

it('continues after an error, and reports it', async () => {
  const onError = vi.fn();
  const failing = startInterval({ everyMs: 10, call: () => Promise.reject(new Error('lost')), onError });
  await vi.advanceTimersByTimeAsync(20);
  expect(onError.mock.calls).toEqual([[new Error('lost')], [new Error('lost')]]);
  failing.stop();
  const throwing = startInterval({
    everyMs: 10,
    call: () => {
      throw new Error('at once');
    },
  });
  await vi.advanceTimersByTimeAsync(20);
  throwing.stop();
});
