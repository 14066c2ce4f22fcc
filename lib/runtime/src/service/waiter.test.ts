import { describe, expect, it } from 'vitest';
import { createWaiter } from './waiter.ts';

const LONG = 60_000;

describe('a waiter', () => {
  it('ends a wait for work by a nudge, also by one from before, once', async () => {
    const waiter = createWaiter();
    const waiting = waiter.forWork(LONG);
    waiter.nudge();
    await waiting;
    waiter.nudge();
    await waiter.forWork(LONG);
    const again = waiter.forWork(LONG);
    const pending = {};
    expect(await Promise.race([again, Promise.resolve(pending)])).toBe(pending);
    waiter.stop();
    await again;
  });

  it('does not end a pause by a nudge, but keeps it for the next wait', async () => {
    const waiter = createWaiter();
    const started = performance.now();
    const pause = waiter.pause(20);
    waiter.nudge();
    await pause;
    expect(performance.now() - started).toBeGreaterThanOrEqual(19);
    await waiter.forWork(LONG);
  });

  it('ends all waits when it is stopped', async () => {
    const waiter = createWaiter();
    const pause = waiter.pause(LONG);
    waiter.stop();
    await pause;
    await waiter.forWork(LONG);
    await waiter.pause(LONG);
    expect(waiter.isStopped()).toBe(true);
  });
});
