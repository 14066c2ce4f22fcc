import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

describe('a keyed semaphore', () => {
  it('names the limit that is reached', () => {
    const semaphore = createKeyedSemaphore({ perKey: 2, total: 3 });
    expect(semaphore.acquireOrLimit('a', 2)).toBeUndefined();
    expect(semaphore.acquireOrLimit('a')).toBe('key');
    expect(semaphore.acquireOrLimit('b', 2)).toBe('total');
    expect(semaphore.acquireOrLimit('b')).toBeUndefined();
    semaphore.release('a');
    expect(semaphore.acquireOrLimit('a')).toBeUndefined();
  });

  it('asks for an exemption only at the limit of the key, and never exceeds the total', () => {
    const semaphore = createKeyedSemaphore({ perKey: 1, total: 2 });
    let asked = 0;
    const isExempt = () => {
      asked += 1;
      return true;
    };
    expect(semaphore.acquireOrLimit('a', 1, isExempt)).toBeUndefined();
    expect(asked).toBe(0);
    expect(semaphore.acquireOrLimit('a', 1, isExempt)).toBeUndefined();
    expect(asked).toBe(1);
    expect(semaphore.acquireOrLimit('a', 1, isExempt)).toBe('total');
  });

  it('holds a unit while a task runs, whether it fails or not, and does not run one at the limit', async () => {
    const semaphore = createKeyedSemaphore({ perKey: 1, total: 1 });
    const toError = (reached: string) => new Error(reached);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = semaphore.run('a', () => promise, toError);
    await expect(semaphore.run('a', () => promise, toError)).rejects.toThrow('key');
    await expect(semaphore.run('b', () => promise, toError)).rejects.toThrow('total');
    resolve('done');
    expect(await first).toBe('done');
    await expect(semaphore.run('a', () => Promise.reject(new Error('broken')), toError)).rejects.toThrow('broken');
    expect(semaphore.totalHeld()).toBe(0);
  });

  it('holds exactly what was acquired and not released, within the limits', () => {
    const calls = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c'),
        units: fc.integer({ min: 1, max: 4 }),
        isRelease: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(calls, (all) => {
        const semaphore = createKeyedSemaphore({ perKey: 5, total: 9 });
        const held: { key: string; units: number }[] = [];
        const sum = (key?: string) =>
          held.reduce((units, one) => (key === undefined || one.key === key ? units + one.units : units), 0);
        for (const { key, units, isRelease } of all) {
          const index = isRelease ? held.findIndex((one) => one.key === key) : -1;
          const [released] = index === -1 ? [] : held.splice(index, 1);
          if (released !== undefined) semaphore.release(key, released.units);
          else if (semaphore.acquireOrLimit(key, units) === undefined) held.push({ key, units });
          else expect(sum(key) + units > 5 || sum() + units > 9).toBe(true);
          expect([semaphore.held(key), semaphore.totalHeld()]).toEqual([sum(key), sum()]);
          expect(sum(key) <= 5 && sum() <= 9).toBe(true);
        }
      }),
    );
  });
});
