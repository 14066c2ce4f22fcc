import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { InsertOutcome } from '@survey/runtime/mongo/insert-batch';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCommitMetrics, createGroupCommit } from './group-commit.ts';

const newDocument = (survey = 'one', tenant = 'tenant', bytes = 100) => ({
  tenant_id: toTenantId(tenant),
  survey_id: survey,
  bytes,
});
type TestDocument = ReturnType<typeof newDocument>;

interface Batch {
  readonly documents: readonly TestDocument[];
  complete(outcomes?: readonly InsertOutcome[]): void;
  fail(error: Error): void;
}

/** The `recheck` of a response that was checked a moment ago. */
const fresh = () => undefined;
const INSERTED: InsertOutcome = { kind: 'inserted' };

/** Starts a group commit. The test ends its writes. */
function start() {
  const batches: Batch[] = [];
  const arrivals: (() => void)[] = [];
  const registry = new Registry();
  const group = createGroupCommit<TestDocument>({
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
    sizeOf: ({ bytes }) => bytes,
    metrics: createCommitMetrics(registry),
  });
  return {
    group,
    batches,
    registry,
    add: (count: number, survey?: string, tenant?: string) =>
      Array.from({ length: count }, () => group.add(newDocument(survey, tenant), fresh)),
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

  it('rejects documents whose check fails after their wait, and writes the others', async () => {
    const { batch, group, add } = start();
    const closed = new Error('closed');
    const { promise: slow, resolve: endCheck } = Promise.withResolvers<void>();
    const results = [
      ...add(1),
      group.add(newDocument(), () => Promise.reject(closed)),
      group.add(newDocument(), () => Promise.resolve()),
      // A slow check must not delay responses to other surveys, so this document gets a separate write.
      group.add(newDocument('slow'), () => slow),
      ...add(1),
    ];
    // Observe the rejection from the start.
    const settling = Promise.allSettled(results);
    const first = await batch(0);
    expect(first.documents).toHaveLength(3);
    first.complete();
    await results[4];
    endCheck();
    const second = await batch(1);
    expect(second.documents).toMatchObject([{ survey_id: 'slow' }]);
    second.complete();
    const settled = await settling;
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
    expect(settled[1]).toMatchObject({ reason: closed });
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
    const next = group.add(newDocument(), fresh);
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
    const { group, batch, batches } = start();
    const [mega, results] = [1024 * 1024, [] as Promise<unknown>[]];
    for (const size of [2 * mega, 2 * mega, mega, 9 * mega])
      results.push(group.add(newDocument('one', 'tenant', size), fresh));
    for (let index = 0; index < 3; index += 1) (await batch(index)).complete();
    expect(batches.map(({ documents }) => documents.length)).toEqual([2, 1, 1]);
    await Promise.all(results);
  });

  it('rejects only documents above the share of a survey, of a tenant, and of all', async () => {
    const { group, add, batch, registry } = start();
    const results = add(2_500, 'one');
    const isRejected = async (survey: string, tenant: string) =>
      expect(group.add(newDocument(survey, tenant), fresh)).rejects.toMatchObject({
        code: 'OVERLOADED',
        retryAfterSeconds: 1,
      });
    await isRejected('one', 'tenant');
    results.push(...add(2_500, 'two'));
    await isRejected('three', 'tenant');
    results.push(...add(2_500, 'one', 'other'), ...add(2_500, 'two', 'other'));
    await isRejected('one', 'third');
    expect(await registry.metrics()).toContain('response_commit_shed_total 3\n');
    expect(await registry.getSingleMetricAsString('response_commit_waiting')).toContain('response_commit_waiting 9000');
    (await batch(0)).complete();
    await results[0];
    results.push(...add(500, 'one', 'third'));
    for (let index = 1; index < 21; index += 1) (await batch(index)).complete();
    expect(new Set(await Promise.all(results))).toEqual(new Set(['inserted']));
    const shown = await registry.metrics();
    for (const line of ['batch_size_sum 10500', 'batch_size_count 21', 'wait_seconds_count 10500', 'waiting 0'])
      expect(shown).toContain(`response_commit_${line}\n`);
  });

  it('rejects documents above the shares of bytes', async () => {
    const { group, batch } = start();
    const mega = 1024 * 1024;
    const add = (survey: string, tenant: string, size: number) =>
      group.add(newDocument(survey, tenant, size * mega), fresh);
    const results = [add('one', 'tenant', 9)];
    await expect(add('one', 'tenant', 8)).rejects.toMatchObject({ code: 'OVERLOADED' });
    results.push(add('one', 'tenant', 7), add('two', 'tenant', 15));
    await expect(add('three', 'tenant', 2)).rejects.toMatchObject({ code: 'OVERLOADED' });
    results.push(add('three', 'tenant', 1), add('one', 'other', 16), add('two', 'other', 15));
    await expect(add('one', 'third', 2)).rejects.toMatchObject({ code: 'OVERLOADED' });
    results.push(add('one', 'third', 1));
    for (let index = 0; index < 7; index += 1) (await batch(index)).complete();
    expect(new Set(await Promise.all(results))).toEqual(new Set(['inserted']));
  });

  it('completes the waiting documents when it is stopped, and accepts no more', async () => {
    const { group, add, batch } = start();
    const results = add(2_500);
    const stopped = group.stop();
    await expect(group.add(newDocument(), fresh)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    for (let index = 0; index < 5; index += 1) (await batch(index)).complete();
    await stopped;
    expect(await Promise.all(results)).toHaveLength(2_500);
  });
});
