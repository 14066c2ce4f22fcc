import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoize } from './memoize.ts';

describe('memoize', () => {
  it('loads once for concurrent calls, and again when the result is older than its time to live', async () => {
    let time = 0;
    let loads = 0;
    const slow = async () => {
      loads += 1;
      time += 5_000;
      return loads;
    };
    const read = memoize(slow, { ttlMs: 1_000, now: () => time });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    time += 1_000;
    expect(await read()).toBe(1);
    time += 1;
    expect(await read()).toBe(2);
  });

  it('reports a failure to every waiting call, and loads again', async () => {
    let works = false;
    const load = async () => (works ? 'here' : Promise.reject(new Error('away')));
    const read = memoize(load, { ttlMs: 1_000, now: () => 0 });
    expect(await Promise.allSettled([read(), read()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    works = true;
    expect(await read()).toBe('here');
  });

  it('loads with the arguments of the call that starts the load', async () => {
    const load = async (key: string, ...numbers: number[]) => [key, ...numbers];
    const read = memoize(load, { ttlMs: 1_000, maxKeys: 2, now: () => 0 });
    expect(await Promise.all([read('a', 1), read('a', 2), read('b', 3, 4)])).toEqual([
      ['a', 1],
      ['a', 1],
      ['b', 3, 4],
    ]);
  });

  it('keeps undefined like any other result', async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
    };
    const read = memoize(load, { ttlMs: 1_000, now: () => 0 });
    await read();
    expect(await read()).toBeUndefined();
    expect(loads).toBe(1);
  });

  it('gives every key its own value, and drops the least recently used of too many, even while they load', async () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(keys, async (all) => {
        const read = memoize(async (key) => `value of ${key}`, { ttlMs: 1_000, maxKeys: 2, now: () => 0 });
        expect(await Promise.all(all.map(read))).toEqual(all.map((key) => `value of ${key}`));
      }),
    );
  });
});
