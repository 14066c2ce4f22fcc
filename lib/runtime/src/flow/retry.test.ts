import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, retry } from './retry.ts';

const backoff = { firstMs: 100, maxMs: 1_000 };

describe('backoffMs', () => {
  it('doubles up to the longest pause, even after very many failures', () => {
    expect([1, 2, 3, 4, 5, 100_000].map((failures) => backoffMs(backoff, failures))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });
});

describe('retry', () => {
  /** A task that fails the given number of times, the pauses between its runs, and its result. */
  async function run(failing: number, { tries = Number.POSITIVE_INFINITY, stopAfter = Number.POSITIVE_INFINITY } = {}) {
    const pauses: number[] = [];
    let runs = 0;
    const task = async () => {
      runs += 1;
      if (runs <= failing) throw new Error(`failure ${runs}`);
      return 'value';
    };
    const ended = await retry(task, {
      backoff,
      shouldRetry: (_, failures) => failures < tries,
      pause: async (ms) => void pauses.push(ms),
      isStopped: () => runs >= stopAfter,
    });
    return { pauses, runs, ended };
  }

  it('runs a task until it succeeds, with growing pauses', async () => {
    expect(await run(3)).toEqual({ pauses: [100, 200, 400], runs: 4, ended: { kind: 'done', value: 'value' } });
  });

  it('returns the error when the policy gives up', async () => {
    expect(await run(3, { tries: 2 })).toMatchObject({ pauses: [100], ended: { kind: 'failed' } });
  });

  it('ends when it is stopped, and does not run a task that is stopped before', async () => {
    expect(await run(3, { stopAfter: 1 })).toMatchObject({ runs: 1, ended: { kind: 'stopped' } });
    expect(await run(0, { stopAfter: 0 })).toMatchObject({ runs: 0, ended: { kind: 'stopped' } });
  });

  it('pauses once between two runs, whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.integer({ min: 1, max: 20 }), async (failing, tries) => {
        const { pauses, runs, ended } = await run(failing, { tries });
        expect(runs).toBe(Math.min(failing + 1, tries));
        expect(pauses).toHaveLength(runs - 1);
        expect(ended.kind).toBe(failing < tries ? 'done' : 'failed');
      }),
    );
  });
});
