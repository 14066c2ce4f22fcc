import { expect, it } from 'vitest';
import { createStopSignals } from './delivery-worker.ts';

it('aborts running and later work, but not work that has ended', async () => {
  const stops = createStopSignals();
  const ended = await stops.run(async (signal) => signal);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const running = stops.run(async (signal) => {
    await end;
    return signal.aborted;
  });
  expect(stops.isStopped()).toBe(false);
  stops.stop();
  expect(stops.isStopped()).toBe(true);
  resolve();
  expect(await running).toBe(true);
  expect(await stops.run(async (signal) => signal.aborted)).toBe(true);
  expect(ended.aborted).toBe(false);
});

it('passes errors on', async () => {
  const failing = createStopSignals().run(() => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
});
