import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatcher } from './batcher.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

type Options = Partial<Parameters<typeof createBatcher<string, string>>[0]>;

/** A batcher whose flushes end when the test ends them. */
function start(options: Options = {}) {
  const flushes: { readonly items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const batcher = createBatcher<string, string>({
    flush: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      const end = () => resolve(items.map((item) => `result of ${item}`));
      flushes.push({ items, end, fail: reject });
      return promise;
    },
    batch: { maxItems: 3, maxSize: 10, sizeOf: () => 1 },
    concurrency: 2,
    ...options,
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { batcher, flushes, settle, flushed: () => flushes.map(({ items }) => items.join('')) };
}

describe('a batcher', () => {
  it('flushes together items of one iteration of the event loop, and returns each caller its own result', async () => {
    const { batcher, flushes, flushed, settle } = start();
    const results = Promise.all([batcher.add('a'), batcher.add('b')]);
    await settle();
    expect(flushed()).toEqual(['ab']);
    flushes[0]?.end();
    expect(await results).toEqual(['result of a', 'result of b']);
  });

  it('flushes a full batch immediately, within the limits of items, size and concurrency', async () => {
    const { batcher, flushes, flushed, settle } = start({
      batch: { maxItems: 3, maxSize: 10, sizeOf: ({ length }) => length },
    });
    for (const item of ['12345', '12345', 'a', 'b', 'c', 'd']) void batcher.add(item);
    expect(flushed()).toEqual(['1234512345', 'abc']);
    await settle();
    expect(flushes).toHaveLength(2);
    flushes[1]?.end();
    await settle();
    expect(flushed()).toEqual(['1234512345', 'abc', 'd']);
  });

  it('lets items accumulate for the interval after a flush of several', async () => {
    const { batcher, flushes, flushed, settle } = start({ intervalMs: 10 });
    void batcher.add('a');
    void batcher.add('b');
    await settle();
    flushes[0]?.end();
    await settle();
    void batcher.add('c');
    await vi.advanceTimersByTimeAsync(9);
    void batcher.add('d');
    expect(flushed()).toEqual(['ab']);
    await vi.advanceTimersByTimeAsync(1);
    expect(flushed()).toEqual(['ab', 'cd']);
  });

  it('keeps items of different keys apart, and the flushes of one key in order', async () => {
    const { batcher, flushes, flushed, settle } = start({ keyOf: (item) => item.slice(0, 1), concurrency: 1 });
    for (const item of ['a1', 'b1', 'a2']) void batcher.add(item);
    await settle();
    expect(flushed()).toEqual(['a1a2', 'b1']);
    void batcher.add('a3');
    await settle();
    expect(flushes).toHaveLength(2);
    flushes[0]?.end();
    await settle();
    expect(flushed()).toEqual(['a1a2', 'b1', 'a3']);
  });

  it('rejects every item of a failed flush with its error, and continues', async () => {
    const { batcher, flushes, settle } = start();
    const results = Promise.allSettled([batcher.add('a'), batcher.add('b')]);
    await settle();
    flushes[0]?.fail(new Error('no primary'));
    for (const result of await results) expect(result).toMatchObject({ reason: { message: 'no primary' } });
    const next = batcher.add('c');
    await settle();
    flushes[1]?.end();
    expect(await next).toBe('result of c');
  });

  it.each([0, 1, 3])('rejects every item of a flush of two that returns %i results', async (count) => {
    const { batcher, settle } = start({ flush: async () => Array.from({ length: count }, () => 'result') });
    const results = Promise.allSettled([batcher.add('a'), batcher.add('b')]);
    await settle();
    for (const result of await results) expect(result).toMatchObject({ status: 'rejected' });
  });

  it('leaves no timer when it is stopped', async () => {
    const { batcher, flushes, flushed, settle } = start({ intervalMs: 10 });
    for (const item of ['a', 'b']) void batcher.add(item);
    await settle();
    flushes[0]?.end();
    await settle();
    void batcher.add('c');
    expect(vi.getTimerCount()).toBe(1);
    const stopped = batcher.stop();
    expect(flushed()).toEqual(['ab', 'c']);
    flushes[1]?.end();
    await stopped;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects items without capacity, and holds that of others until their flush has ended', async () => {
    const held: string[] = [];
    const { batcher, flushes, settle } = start({
      acquire(item) {
        if (held.length === 2) throw new Error('no capacity');
        held.push(item);
        return () => void held.splice(held.indexOf(item), 1);
      },
    });
    const [first, second] = [batcher.add('a'), batcher.add('b')];
    await settle();
    await expect(batcher.add('c')).rejects.toThrow('no capacity');
    flushes[0]?.fail(new Error('no primary'));
    await Promise.allSettled([first, second]);
    expect(held).toEqual([]);
    const third = batcher.add('d');
    await settle();
    flushes[1]?.end();
    expect(await third).toBe('result of d');
    expect(held).toEqual([]);
  });

  it('flushes waiting items when it is stopped, and rejects later ones', async () => {
    const { batcher, flushes, settle } = start({ intervalMs: 10_000, concurrency: 1 });
    const results = Promise.all(['a', 'b', 'c', 'd'].map(batcher.add));
    const stopped = batcher.stop();
    await expect(batcher.add('e')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    flushes[0]?.end();
    await settle();
    flushes[1]?.end();
    await stopped;
    expect(await results).toHaveLength(4);
  });

  it('flushes every item once, in order, within the limits', async () => {
    const plan = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), afterMs: fc.nat(15) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(plan, fc.boolean(), fc.nat(10), async (items, isKeyed, flushMs) => {
        const done: string[][] = [];
        const running = new Map<string, number>();
        const batcher = createBatcher<string, string>({
          flush: async (batch) => {
            const key = isKeyed ? (batch[0] ?? '').slice(0, 1) : '';
            running.set(key, (running.get(key) ?? 0) + 1);
            expect(running.get(key)).toBeLessThanOrEqual(2);
            expect(batch.length).toBeLessThanOrEqual(3);
            done.push([...batch]);
            await new Promise((resolve) => setTimeout(resolve, flushMs));
            running.set(key, (running.get(key) ?? 0) - 1);
            return batch;
          },
          ...(isKeyed ? { keyOf: (item: string) => item.slice(0, 1) } : {}),
          batch: { maxItems: 3, maxSize: 100, sizeOf: () => 1 },
          concurrency: 2,
          intervalMs: 5,
        });
        const added: string[] = [];
        const results: Promise<string>[] = [];
        for (const { key, afterMs } of items) {
          await vi.advanceTimersByTimeAsync(afterMs);
          const item = `${key}${added.length}`;
          added.push(item);
          results.push(batcher.add(item));
        }
        await vi.advanceTimersByTimeAsync(2_000);
        expect(await Promise.all(results)).toEqual(added);
        for (const key of isKeyed ? ['a', 'b'] : ['']) {
          const own = (item: string) => item.startsWith(key);
          expect(done.flat().filter(own)).toEqual(added.filter(own));
        }
      }),
      { numRuns: 40 },
    );
  });
});
