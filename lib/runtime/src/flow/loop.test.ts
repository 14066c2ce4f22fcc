import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoop, type StepResult } from './loop.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const backoff = { firstMs: 100, maxMs: 400 };

/** A running loop, the start times of its steps, and its log lines. */
function start(step: (run: number) => Promise<StepResult>) {
  const begun: number[] = [];
  const logged: string[] = [];
  const epoch = performance.now();
  const loop = createLoop({
    step: () => {
      begun.push(performance.now() - epoch);
      return step(begun.length);
    },
    everyMs: 200,
    idleEveryMs: 1_000,
    backoff,
    failure: 'cannot sweep',
    log: pino({}, { write: (line: string) => void logged.push(line) }),
  });
  loop.start();
  return { loop, begun, logged };
}

describe('a loop', () => {
  it('repeats a step that found work after the short wait, and one that found none after longer waits', async () => {
    const { loop, begun } = start(async (run) => ({ expectsWork: run <= 3 }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(begun.slice(0, 4)).toEqual([0, 200, 400, 600]);
    const waits = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(waits.at(-1)).toBe(1_000);
    await loop.stop();
  });

  it('begins the next step immediately when there is more, and waits at least the pause that the step asks for', async () => {
    const { loop, begun } = start(async (run) =>
      run < 3 ? { expectsWork: true, skipsWait: true } : { expectsWork: true, skipsWait: true, pauseMs: 50 },
    );
    await vi.advanceTimersByTimeAsync(120);
    expect(begun).toEqual([0, 0, 0, 50, 100]);
    await loop.stop();
  });

  it('wakes up from a wait, not from a pause, and keeps a wake-up of a pause or step for the next wait', async () => {
    const { loop, begun } = start(async (run) => {
      await Promise.resolve();
      if (run === 1) loop.wake();
      return { expectsWork: false, pauseMs: run === 2 ? 150 : 0 };
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(50);
    loop.wake();
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([0, 0, 150]);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 0, 150, 150]);
    await loop.stop();
  });

  it('backs off after failures, logs the first one of a series, and resets after a success', async () => {
    const failing = new Set([1, 2, 3, 4, 6]);
    const { loop, begun, logged } = start(async (run) => {
      if (failing.has(run)) throw new Error(`failure ${run}`);
      return { expectsWork: true };
    });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(begun).toEqual([0, 100, 300, 700, 1_100, 1_300, 1_400]);
    expect(logged).toEqual([
      expect.stringMatching(/failure 1.*"retry_in_ms":100.*cannot sweep, retrying/s),
      expect.stringContaining('failure 6'),
    ]);
    await loop.stop();
  });

  it('stops after the current step, and ends a pause to do so', async () => {
    const step = Promise.withResolvers<StepResult>();
    const { loop, begun } = start((run) => (run === 1 ? step.promise : Promise.reject(new Error('a second step'))));
    const stopped = loop.stop();
    step.resolve({ expectsWork: true, pauseMs: 60_000 });
    await stopped;
    expect(begun).toEqual([0]);
  });
});
