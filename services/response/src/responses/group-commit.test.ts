import type { InsertOutcome } from '@survey/runtime/mongo/insert-batch';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCommitMetrics } from './commit-metrics.ts';
import { createGroupCommit } from './group-commit.ts';

interface Batch {
  readonly documents: readonly string[];
  complete(outcomes?: readonly InsertOutcome[]): void;
  fail(error: Error): void;
}

const INSERTED: InsertOutcome = { kind: 'inserted' };

/** A group commit whose writes the test ends. */
function start(sizeOf: (document: string) => number = () => 100) {
  const batches: Batch[] = [];
  const arrivals: (() => void)[] = [];
  const registry = new Registry();
  const group = createGroupCommit<string>({
    insert: (documents) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly InsertOutcome[]>();
      batches.push({
        documents,
        complete: (outcomes = documents.map(() => INSERTED)) => resolve(outcomes),
        fail: reject,
      });
      for (const arrived of arrivals.splice(0)) arrived();
      return promise;
    },
    sizeOf,
    metrics: createCommitMetrics(registry),
  });
  return {
    group,
    batches,
    registry,
    add: (count: number) => Array.from({ length: count }, (_, index) => group.add(`${index}`)),
    /** Waits for the nth write, from 0. */
    async batch(index: number): Promise<Batch> {
      for (;;) {
        const batch = batches[index];
        if (batch !== undefined) return batch;
        await new Promise<void>((resolve) => arrivals.push(resolve));
      }
    },
  };
}

afterEach(() => void vi.useRealTimers());

describe('a group commit', () => {
  it('combines concurrent documents in one write, with a result for each caller', async () => {
    const { batch, add, batches } = start();
    const results = add(3);
    (await batch(0)).complete([
      INSERTED,
      { kind: 'duplicate' },
      { kind: 'failed', error: new Error('rejected') } as unknown as InsertOutcome,
    ]);
    const settled = await Promise.allSettled(results);
    expect(settled[0]).toMatchObject({ value: 'inserted' });
    expect(settled[1]).toMatchObject({ value: 'duplicate' });
    expect(settled[2]).toMatchObject({ reason: { code: 'INTERNAL' } });
    expect(batches).toHaveLength(1);
  });

  it('waits 10 ms after the start of the last write for documents that do not fill a write', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout'] });
    const { add, batches } = start();
    const sizes = () => batches.map(({ documents }) => documents.length);
    void add(1);
    vi.advanceTimersByTime(0);
    void add(1);
    vi.advanceTimersByTime(9);
    void add(1);
    expect(sizes()).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(sizes()).toEqual([1, 2]);
    for (const { complete } of batches) complete();
    await vi.advanceTimersByTimeAsync(0);
    void add(1);
    await vi.advanceTimersByTimeAsync(9);
    expect(sizes()).toEqual([1, 2]);
    void add(499);
    expect(sizes()).toEqual([1, 2, 500]);
  });

  it('writes a document immediately that arrives after the result of another', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout'] });
    const { add, batches } = start();
    for (const index of [0, 1, 2]) {
      void add(1);
      vi.advanceTimersByTime(0);
      batches[index]?.complete();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(batches).toHaveLength(3);
  });

  it('rejects every caller of a failed write with UNAVAILABLE, and continues', async () => {
    const { batch, add, group } = start();
    const results = add(3);
    (await batch(0)).fail(new Error('no primary'));
    for (const result of await Promise.allSettled(results))
      expect(result).toMatchObject({ reason: { code: 'UNAVAILABLE', retryAfterSeconds: 1 } });
    const next = group.add('next');
    (await batch(1)).complete();
    expect(await next).toBe('inserted');
  });

  it('has at most 500 documents in a write and two writes at a time', async () => {
    const { batch, add, batches } = start();
    const results = add(1_600);
    await batch(1);
    expect(batches.map(({ documents }) => documents.length)).toEqual([500, 500]);
    batches[0]?.complete();
    (await batch(2)).complete();
    (await batch(3)).complete();
    for (const { complete } of batches) complete();
    expect(batches.map(({ documents }) => documents.length)).toEqual([500, 500, 500, 100]);
    expect(await Promise.all(results)).toHaveLength(1_600);
  });

  it('has at most four megabytes in a write, unless one document is larger', async () => {
    const { group, batch, batches } = start((document) => Number(document));
    const [mega, results] = [1024 * 1024, [] as Promise<unknown>[]];
    for (const size of [2 * mega, 2 * mega, mega, 9 * mega]) results.push(group.add(`${size}`));
    for (let index = 0; index < 3; index += 1) (await batch(index)).complete();
    expect(batches.map(({ documents }) => documents.length)).toEqual([2, 1, 1]);
    await Promise.all(results);
  });

  it('rejects only documents above its limit of items', async () => {
    const { group, add, batch, batches, registry } = start();
    const results = add(1_000);
    await batch(1);
    results.push(...add(10_000));
    await expect(group.add('too much')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 });
    expect(await registry.metrics()).toContain('response_commit_shed_total 1\n');
    expect(await registry.getSingleMetricAsString('response_commit_waiting')).toContain(
      'response_commit_waiting 10000',
    );
    for (let index = 0; index < 22; index += 1) (await batch(index)).complete();
    expect(new Set(await Promise.all(results))).toEqual(new Set(['inserted']));
    expect(batches).toHaveLength(22);
    const shown = await registry.metrics();
    for (const line of ['batch_size_sum 11000', 'batch_size_count 22', 'wait_seconds_count 11000', 'waiting 0'])
      expect(shown).toContain(`response_commit_${line}\n`);
  });

  it('rejects documents above its limit of bytes', async () => {
    const { group, batch } = start((document) => Number(document));
    const mega = 1024 * 1024;
    const results = [1, 2].map(() => group.add(`${9 * mega}`));
    await batch(1);
    for (let n = 0; n < 7; n += 1) results.push(group.add(`${9 * mega}`));
    await expect(group.add(`${2 * mega}`)).rejects.toMatchObject({ code: 'OVERLOADED' });
    results.push(group.add(`${mega}`));
    for (let index = 0; index < 10; index += 1) (await batch(index)).complete();
    expect(new Set(await Promise.all(results))).toEqual(new Set(['inserted']));
  });

  it('completes the waiting documents when it is stopped, and accepts no more', async () => {
    const { group, add, batch } = start();
    const results = add(2_500);
    const stopped = group.stop();
    await expect(group.add('late')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    for (let index = 0; index < 5; index += 1) (await batch(index)).complete();
    await stopped;
    expect(await Promise.all(results)).toHaveLength(2_500);
  });
});
