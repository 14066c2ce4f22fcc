import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { PageQuery } from '@survey/runtime/mongo/page';
import { describe, expect, it } from 'vitest';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { noConditions } from '../testing/stored-responses.ts';
import type { Conditions, Outcome } from './condition-service.ts';
import type { Response } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import type { ResponseSealer } from './response-sealer.ts';
import { createResponseService, createSlowReads, type ResponseCount } from './response-service.ts';
import type { ResponseStore } from './response-store.ts';
import { type AggregateCache, createAggregateCache } from './write-window-store.ts';

const tenantId = toTenantId('tenant');
const filterOf = (surveyId: string) => ({ surveyId });

/** Starts a service. The test ends its counts. `isSlow`: each count has several slices. */
function start({ isSlow }: { isSlow: boolean }) {
  const running: { readonly surveyId: string; end(count: number): void }[] = [];
  let nowMs = 0;
  const service = createResponseService({
    definitions: { findOwned: async () => ({}) } as unknown as DefinitionService,
    store: {
      async count(_tenantId: string, { surveyId }: ResponseFilter, onSlice?: () => void) {
        if (isSlow) onSlice?.();
        return new Promise<number>((resolve) => running.push({ surveyId, end: resolve }));
      },
    } as unknown as ResponseStore,
    sealer: {} as ResponseSealer,
    conditions: noConditions,
    counts: createAggregateCache<ResponseCount>({
      // A write window is always open, so no count stays valid.
      windows: { lastWindowOf: async () => 0, lastReadableWindow: async () => undefined },
      maxSize: 10,
      sizeOf: () => 1,
      now: () => nowMs,
    }),
    now: () => nowMs,
    timeMs: 60_000,
  });
  return {
    running,
    count: async (surveyId: string, timeMs?: number) =>
      (await service.count(tenantId, filterOf(surveyId), timeMs)).count,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a count that takes longer than its request', () => {
  it('goes on, and later requests get its result for as long as it took', async () => {
    const { count, running, pass } = start({ isSlow: true });
    await expect(count('one', 1)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', retryAfterSeconds: 5 });
    const joined = count('one');
    await new Promise((resolve) => setImmediate(resolve));
    expect(running).toHaveLength(1);
    pass(100_000);
    running[0]?.end(7);
    expect(await joined).toBe(7);
    pass(99_999);
    expect(await count('one')).toBe(7);
    pass(2);
    await expect(count('one', 1)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(running).toHaveLength(2);
  });

  it('is one of at most four of its tenant', async () => {
    const { count, running } = start({ isSlow: true });
    for (const surveyId of ['1', '2', '3', '4'])
      await expect(count(surveyId, 1)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    const quota = { name: 'slow-counts', requests: 4 };
    await expect(count('5')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 5, quota });
    for (const { end } of running) end(1);
    await new Promise((resolve) => setImmediate(resolve));
    const next = count('5');
    await new Promise((resolve) => setImmediate(resolve));
    running.at(-1)?.end(2);
    expect(await next).toBe(2);
  });

  it('does not limit fast counts, or keep their results', async () => {
    const { count, running } = start({ isSlow: false });
    const counts = ['1', '2', '3', '4', '5', '6'].map((surveyId) => count(surveyId));
    await new Promise((resolve) => setImmediate(resolve));
    for (const { end } of running) end(3);
    expect(await Promise.all(counts)).toEqual([3, 3, 3, 3, 3, 3]);
    const again = count('1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(running).toHaveLength(7);
    running[6]?.end(4);
    expect(await again).toBe(4);
  });
});

it('a count with conditions that takes long reports its progress', async () => {
  const gate = Promise.withResolvers<void>();
  const conditions: Conditions = { digest: 'd', lacksQuestion: async () => false, test: async () => [] };
  const matching = { isMatch: true, lacksQuestion: false } as Response & Outcome;
  const service = createResponseService({
    definitions: { findOwned: async () => ({}) } as unknown as DefinitionService,
    store: {} as ResponseStore,
    sealer: {} as ResponseSealer,
    conditions: {
      resolve: async () => ({ filter: filterOf('survey'), conditions }),
      async *read() {
        yield Array.from({ length: 1_200 }, () => matching);
        await gate.promise;
        yield [matching];
      },
    },
    counts: createAggregateCache<ResponseCount>({
      windows: { lastWindowOf: async () => 0, lastReadableWindow: async () => undefined },
      maxSize: 10,
      sizeOf: () => 1,
      now: () => 0,
    }),
    now: () => 0,
  });
  const count = (timeMs: number) => service.count(tenantId, filterOf('survey'), timeMs);
  const finished = count(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  const detail = 'Counting takes longer: 1,200 responses are read. It goes on: repeat the request after some seconds';
  await expect(count(1)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', message: detail, retryAfterSeconds: 5 });
  gate.resolve();
  expect(await finished).toEqual({ count: 1_201, lackingQuestion: 0 });
});

describe('a slow export', () => {
  /** Each look at the clock takes a second. */
  function start() {
    let nowMs = 0;
    const slowReads = createSlowReads(() => (nowMs += 1_000));
    const abort = new AbortController();
    async function* chunks() {
      for (const chunk of ['first', 'second', 'third']) yield chunk;
    }
    /** Holds a slot until it is ended. */
    function hold() {
      const gate = Promise.withResolvers<void>();
      const held = slowReads.run(tenantId, async (onSlow) => {
        onSlow();
        await gate.promise;
      });
      return { held, end: gate.resolve };
    }
    return { hold, abort, exported: slowReads.limitExport(tenantId, chunks(), abort.signal) };
  }

  it('holds no slot while its client reads slowly', async () => {
    const { hold, exported } = start();
    expect(await exported.next()).toEqual({ value: 'first', done: false });
    expect(await exported.next()).toEqual({ value: 'second', done: false });
    const counts = Array.from({ length: 4 }, hold);
    await expect(hold().held).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    for (const { end } of counts) end();
    await Promise.all(counts.map(({ held }) => held));
  });

  it('waits while others hold all slots of its tenant', async () => {
    const { hold, exported } = start();
    await exported.next();
    const counts = Array.from({ length: 4 }, hold);
    const next = exported.next();
    expect(await Promise.race([next, new Promise((resolve) => setImmediate(resolve))])).toBeUndefined();
    for (const { end } of counts) end();
    expect(await next).toEqual({ value: 'second', done: false });
    await Promise.all(counts.map(({ held }) => held));
  });

  it('ends when its client leaves, also while it waits', async () => {
    const { hold, exported, abort } = start();
    await exported.next();
    const counts = Array.from({ length: 4 }, hold);
    const next = exported.next();
    abort.abort();
    await expect(next).rejects.toThrow('aborted');
    for (const { end } of counts) end();
    await Promise.all(counts.map(({ held }) => held));
  });
});

describe('a search for a page', () => {
  /** Responses with the version 1, or 2 if the conditions hold. */
  function search(versions: readonly number[]) {
    const responses = versions.map((surveyVersion, index) => ({ id: String(index), surveyVersion, data: {} }));
    const reads: number[] = [];
    const conditions: Conditions = {
      digest: 'second',
      lacksQuestion: async (version) => version === 1,
      test: async (tested) =>
        tested.map((one) => ({ ...one, isMatch: one.surveyVersion === 2, lacksQuestion: one.surveyVersion === 1 })),
    };
    const service = createResponseService({
      definitions: { findOwned: async () => ({}) } as unknown as DefinitionService,
      store: {
        async list(_tenantId: string, _filter: ResponseFilter, { limit, cursor = '0' }: PageQuery) {
          reads.push(limit);
          const end = Number(cursor) + limit;
          const items = responses.slice(Number(cursor), end);
          return { items, ...(end < responses.length && { nextCursor: String(end) }) };
        },
        cursorAfter: (_: string, __: ResponseFilter, ___: PageQuery, { id }: { id: string }) => String(Number(id) + 1),
      } as unknown as ResponseStore,
      sealer: { openAll: async (_: string, sealed: unknown) => sealed } as unknown as ResponseSealer,
      conditions: { ...noConditions, resolve: async () => ({ filter: filterOf('survey'), conditions }) },
      counts: {} as AggregateCache<ResponseCount>,
      now: () => 0,
      maxScanned: 20,
    });
    const list = async (limit: number, cursor?: string) => {
      const { items, ...page } = await service.list(tenantId, filterOf('survey'), { limit, cursor });
      return { ids: items.map(({ id }) => id), ...page };
    };
    return { list, reads };
  }

  it('reads more and more, up to its limit, and continues after the last response', async () => {
    const { list, reads } = search(Array.from({ length: 30 }, (_, index) => (index === 25 ? 2 : 1)));
    const first = await list(1);
    expect(first).toEqual({ ids: [], scanned: 20, lackingQuestion: 20, isComplete: false, nextCursor: '20' });
    expect(reads).toEqual([1, 2, 4, 8, 5]);
    expect(await list(1, '20')).toMatchObject({ ids: ['25'], scanned: 6, isComplete: true, nextCursor: '26' });
    expect(await list(1, '26')).toEqual({ ids: [], scanned: 4, lackingQuestion: 4, isComplete: true });
  });

  it('has no next page if the last response is on the page', async () => {
    const { list } = search([2, 1, 2]);
    expect(await list(2)).toEqual({ ids: ['0', '2'], scanned: 3, lackingQuestion: 1, isComplete: true });
    expect(await list(1)).toMatchObject({ ids: ['0'], nextCursor: '1' });
  });
});
