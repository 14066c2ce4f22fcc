import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWatch } from './watch.ts';

afterEach(() => {
  vi.useRealTimers();
});

const limits = { cpuMs: 1_000, heapBytes: 100 };

/** Measures a thread every 100 ms of a fake clock. */
function watchOf(measures: { cpuMs?: number; heap?: number; answers?: boolean }) {
  vi.useFakeTimers();
  const exceeded: string[] = [];
  let cpuMs = 5_000;
  const stop = createWatch({
    thread: {
      cpuUsage: async () => {
        if (measures.answers === false) await new Promise(() => {});
        cpuMs += measures.cpuMs ?? 0;
        return { user: cpuMs * 1_000, system: 0 };
      },
      getHeapStatistics: async () => ({ used_heap_size: measures.heap ?? 0 }) as never,
    },
    limits,
    now: () => Date.now(),
    everyMs: 100,
    onExceeded: (what) => exceeded.push(what),
  });
  return { exceeded, stop };
}

describe('the watch over a thread', () => {
  it('ends it after its CPU time, counted from the beginning', async () => {
    const { exceeded } = watchOf({ cpuMs: 90 });
    await vi.advanceTimersByTimeAsync(900);
    expect(exceeded).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(exceeded).toEqual(['time']);
  });

  it('leaves a thread that waits', async () => {
    const { exceeded, stop } = watchOf({});
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(exceeded).toEqual([]);
    stop();
  });

  it('ends a thread that does not answer after three times its CPU time', async () => {
    const { exceeded } = watchOf({ answers: false });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(exceeded).toEqual([]);
    await vi.advanceTimersByTimeAsync(400);
    expect(exceeded).toEqual(['time']);
  });

  it('ends a thread before it reaches the limit of its heap', async () => {
    const { exceeded } = watchOf({ heap: 90 });
    await vi.advanceTimersByTimeAsync(300);
    expect(exceeded).toEqual(['memory']);
  });

  it('measures nothing after its end', async () => {
    const { exceeded, stop } = watchOf({ heap: 90 });
    stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(exceeded).toEqual([]);
  });
});
