import type { InsertOutcome } from '@survey/runtime/mongo/insert-batch';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCommitMetrics } from './commit-metrics.ts';
import { createGroupCommit } from './group-commit.ts';

interface Batch {
  readonly documents: readonly string[];
  answer(outcomes?: readonly InsertOutcome[]): void;
  fail(error: Error): void;
}

const INSERTED: InsertOutcome = { kind: 'inserted' };

/** A group commit whose writes end when the test says so. */
function start(sizeOf: (document: string) => number = () => 100) {
  const batches: Batch[] = [];
  const arrivals: (() => void)[] = [];
  const registry = new Registry();
  const group = createGroupCommit<string>({
    insert: (documents) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly InsertOutcome[]>();
      batches.push({
        documents,
        answer: (outcomes = documents.map(() => INSERTED)) => resolve(outcomes),
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
  it('writes what comes at the same time at once, and answers each caller on its own', async () => {
    const { batch, add, batches } = start();
    const answers = add(3);
    (await batch(0)).answer([
      INSERTED,
      { kind: 'duplicate' },
      { kind: 'failed', error: new Error('refused') } as unknown as InsertOutcome,
    ]);
    const settled = await Promise.allSettled(answers);
    expect(settled[0]).toMatchObject({ value: 'inserted' });
    expect(settled[1]).toMatchObject({ value: 'duplicate' });
    expect(settled[2]).toMatchObject({ reason: { reason: 'INTERNAL' } });
    expect(batches).toHaveLength(1);
  });

  it('lets what does not fill a write gather for 10 ms after the one before began', async () => {
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
    for (const { answer } of batches) answer();
    await vi.advanceTimersByTimeAsync(0);
    void add(1);
    await vi.advanceTimersByTimeAsync(9);
    expect(sizes()).toEqual([1, 2]);
    void add(499);
    expect(sizes()).toEqual([1, 2, 500]);
  });

  it('does not keep one waiting that comes after the answer to another', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout'] });
    const { add, batches } = start();
    for (const index of [0, 1, 2]) {
      void add(1);
      vi.advanceTimersByTime(0);
      batches[index]?.answer();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(batches).toHaveLength(3);
  });

  it('tells every caller of a write that failed to try again, and goes on', async () => {
    const { batch, add, group } = start();
    const answers = add(3);
    (await batch(0)).fail(new Error('no primary'));
    for (const answer of await Promise.allSettled(answers))
      expect(answer).toMatchObject({ reason: { reason: 'UNAVAILABLE', retryAfterSeconds: 1 } });
    const next = group.add('next');
    (await batch(1)).answer();
    expect(await next).toBe('inserted');
  });

  it('has no more than 500 documents in a write and two writes on their way', async () => {
    const { batch, add, batches } = start();
    const answers = add(1_600);
    await batch(1);
    expect(batches.map(({ documents }) => documents.length)).toEqual([500, 500]);
    batches[0]?.answer();
    (await batch(2)).answer();
    (await batch(3)).answer();
    for (const { answer } of batches) answer();
    expect(batches.map(({ documents }) => documents.length)).toEqual([500, 500, 500, 100]);
    expect(await Promise.all(answers)).toHaveLength(1_600);
  });

  it('has no more than four megabytes in a write, unless one document is larger', async () => {
    const { group, batch, batches } = start((document) => Number(document));
    const [mega, answers] = [1024 * 1024, [] as Promise<unknown>[]];
    for (const size of [2 * mega, 2 * mega, mega, 9 * mega]) answers.push(group.add(`${size}`));
    for (let index = 0; index < 3; index += 1) (await batch(index)).answer();
    expect(batches.map(({ documents }) => documents.length)).toEqual([2, 1, 1]);
    await Promise.all(answers);
  });

  it('refuses more than it can hold, and only that', async () => {
    const { group, add, batch, batches, registry } = start();
    const answers = add(1_000);
    await batch(1);
    answers.push(...add(10_000));
    await expect(group.add('too much')).rejects.toMatchObject({ reason: 'OVERLOADED', retryAfterSeconds: 1 });
    expect(await registry.metrics()).toContain('response_commit_shed_total 1\n');
    expect(await registry.getSingleMetricAsString('response_commit_waiting')).toContain(
      'response_commit_waiting 10000',
    );
    for (let index = 0; index < 22; index += 1) (await batch(index)).answer();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['inserted']));
    expect(batches).toHaveLength(22);
    const shown = await registry.metrics();
    for (const line of ['batch_size_sum 11000', 'batch_size_count 22', 'wait_seconds_count 11000', 'waiting 0'])
      expect(shown).toContain(`response_commit_${line}\n`);
  });

  it('refuses more than it can hold when documents are large', async () => {
    const { group, batch } = start((document) => Number(document));
    const mega = 1024 * 1024;
    const answers = [1, 2].map(() => group.add(`${9 * mega}`));
    await batch(1);
    for (let n = 0; n < 7; n += 1) answers.push(group.add(`${9 * mega}`));
    await expect(group.add(`${2 * mega}`)).rejects.toMatchObject({ reason: 'OVERLOADED' });
    answers.push(group.add(`${mega}`));
    for (let index = 0; index < 10; index += 1) (await batch(index)).answer();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['inserted']));
  });

  it('finishes what waits when it is stopped, and takes nothing after', async () => {
    const { group, add, batch } = start();
    const answers = add(2_500);
    const stopped = group.stop();
    await expect(group.add('late')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    for (let index = 0; index < 5; index += 1) (await batch(index)).answer();
    await stopped;
    expect(await Promise.all(answers)).toHaveLength(2_500);
  });
});
