import { describe, expect, it } from 'vitest';
import { createFairMutex } from './fair-mutex.ts';

/** A mutex, and tasks that end when the test ends them. */
function start() {
  const mutex = createFairMutex({ maxPerKey: 2, maxKeys: 2 });
  const started: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const run = (key: string, name: string) =>
    mutex.run(key, async () => {
      started.push(name);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return name;
    });
  return { mutex, run, started, ends };
}

describe('a fair mutex', () => {
  it('runs one task at a time, round robin by key', async () => {
    const { run, started, ends } = start();
    const results = { a1: run('a', 'a1'), a2: run('a', 'a2'), a3: run('a', 'a3'), b1: run('b', 'b1') };
    const order = ['a1', 'a2', 'b1', 'a3'] as const;
    for (const [index, name] of order.entries()) {
      await expect.poll(() => started).toEqual(order.slice(0, index + 1));
      ends[index]?.resolve();
      expect(await results[name]).toBe(name);
    }
  });

  it('rejects too many tasks of a key, and too many keys', async () => {
    const { run, ends } = start();
    const first = run('a', 'a1');
    for (const [key, name] of [
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
    ] as const)
      void run(key, name);
    await expect(run('a', 'a4')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 });
    await expect(run('c', 'c1')).rejects.toMatchObject({ code: 'OVERLOADED' });
    ends[0]?.resolve();
    expect(await first).toBe('a1');
  });

  it('continues after a failed task, and after it was idle', async () => {
    const { mutex } = start();
    await expect(mutex.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const throwAtOnce = () => {
      throw new Error('at once');
    };
    await expect(mutex.run('a', throwAtOnce)).rejects.toThrow('at once');
    expect(await mutex.run('a', async () => 1)).toBe(1);
    expect(await Promise.all(['a', 'b'].map((key) => mutex.run(key, async () => key)))).toEqual(['a', 'b']);
  });
});
