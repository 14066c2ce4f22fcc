import { describe, expect, it } from 'vitest';
import { createSingleFlight } from './memoize.ts';

describe('a single flight', () => {
  it('shares a run between concurrent calls with the same key, and its failure', async () => {
    const runs: string[] = [];
    const load = createSingleFlight(async (key, name: string) => {
      runs.push(`${key} of ${name}`);
      await Promise.resolve();
      if (key === 'bad') throw new Error(key);
      return key;
    });
    const results = await Promise.allSettled([load('a', 'one'), load('a', 'two'), load('bad', 'x'), load('bad', 'y')]);
    expect(runs).toEqual(['a of one', 'bad of x']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await load('a', 'three');
    expect(runs).toHaveLength(3);
  });

  it('reports whether a load of the key is running', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const load = createSingleFlight(() => promise);
    const loaded = load('a');
    expect([load.isRunning('a'), load.isRunning('b')]).toEqual([true, false]);
    resolve('done');
    await loaded;
    expect(load.isRunning('a')).toBe(false);
  });
});
