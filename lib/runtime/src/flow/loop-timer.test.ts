import { describe, expect, it } from 'vitest';
import { createWakeableTimer } from './loop.ts';

const LONG = 60_000;

describe('a wakeable timer', () => {
  it('ends one wait for work at a wake-up, including at an earlier one', async () => {
    const timer = createWakeableTimer();
    const waiting = timer.waitForWork(LONG);
    timer.wake();
    await waiting;
    timer.wake();
    await timer.waitForWork(LONG);
    const again = timer.waitForWork(LONG);
    const pending = {};
    expect(await Promise.race([again, Promise.resolve(pending)])).toBe(pending);
    timer.stop();
    await again;
  });

  it('keeps a wake-up during a pause for the next wait', async () => {
    const timer = createWakeableTimer();
    const started = performance.now();
    const pause = timer.pause(20);
    timer.wake();
    await pause;
    expect(performance.now() - started).toBeGreaterThanOrEqual(19);
    await timer.waitForWork(LONG);
  });

  it('ends all waits when it is stopped', async () => {
    const timer = createWakeableTimer();
    const pause = timer.pause(LONG);
    timer.stop();
    await pause;
    await timer.waitForWork(LONG);
    await timer.pause(LONG);
    expect(timer.isStopped()).toBe(true);
  });
});
