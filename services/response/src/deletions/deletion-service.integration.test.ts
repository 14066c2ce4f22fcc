import { hash, randomUUID } from 'node:crypto';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromDocument } from '../responses/response-document-store.ts';
import { createSlowReads } from '../responses/response-service.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { newResponseDocument } from '../testing/new-response.ts';
import { noConditions } from '../testing/stored-responses.ts';
import { createDeletionPlanStore, deletionPlanIndexes, type PlannedResponse } from './deletion-plan-store.ts';
import { createDeletionService } from './deletion-service.ts';

let database: TestDatabase;
let context: ChangeContext;
beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, deletionPlanIndexes);
});
beforeEach(() => {
  context = { tenantId: toTenantId(randomUUID()), actor: 'user-1', requestId: '', traceparent: '' };
});
afterAll(() => database.drop());

type Given = Partial<Parameters<typeof createDeletionService>[0]>;

/** A clock on which each look takes some seconds. */
function lookSeconds(seconds: number): () => number {
  let nowMs = 0;
  return () => (nowMs += seconds * 1_000);
}

/** A service with stored plans, as in a replica. Its responses are in memory. */
function start(count: number, given: Given = {}, surveyId = randomUUID()) {
  const live = new Map<string, PlannedResponse>();
  for (let index = 0; index < count; index += 1) {
    const id = randomUUID();
    live.set(id, { id, revision: 1 });
  }
  const removed = new Map<string, string>();
  let time = Date.now();
  let nowMs = 0;
  const service = createDeletionService({
    definitions: { findOwned: async () => ({}) as unknown as CompiledSurvey },
    conditions: noConditions,
    async *read() {
      yield [...live.values()];
    },
    slowReads: createSlowReads(),
    plans: createDeletionPlanStore({
      plans: database.db.collection('deletion_plans'),
      parts: database.db.collection('deletion_plan_parts'),
    }),
    dueResponses: {
      hasCapacity: async () => true,
      // Each batch takes a second.
      async findByIds(_tenantId, _surveyId, ids) {
        nowMs += 1_000;
        return ids.flatMap((id) => {
          const found = live.get(id);
          return found === undefined ? [] : { ...fromDocument(newResponseDocument()), ...found };
        });
      },
    },
    deleted: {
      async removeUnchanged(_survey, removals, _entry, plan = '') {
        for (const { response } of removals) if (live.delete(response.id)) removed.set(response.id, plan);
        return removals.length;
      },
      findRemoved: async (_tenantId, ids, plan) => ids.filter((id) => removed.get(id) === plan),
      storeEvent: async () => {},
    },
    files: { removeAll: async (_tenantId, _ids, write) => write() },
    ledgers: { track: async (_survey, _change, run) => run({ entry: undefined, lastSeat: undefined }) },
    cipherOf: async () => ({ stableHash: (_: string, bytes: Uint8Array) => hash('sha256', bytes, 'buffer') }) as never,
    newId: randomUUID,
    clock: () => new Date(time),
    now: () => nowMs,
    ...given,
  });
  const selection = { surveyId };
  return {
    plan: (more: object = {}) =>
      service.plan(context, { selection: { ...selection, ...more }, all: true, dryRun: true }),
    confirm: ({ id, count: expected }: { readonly id: string; readonly count: number }) =>
      service.delete(context, surveyId, id, expected),
    left: () => live.size,
    passMs(ms: number) {
      time += ms;
    },
  };
}

const stored = (name: string) => database.db.collection(name).countDocuments({ tenant_id: context.tenantId });

describe('a large deletion', () => {
  it('is continued by the same request, over parts of the plan', async () => {
    const { plan, confirm, left } = start(10_700, { deleteMs: 10_500 });
    const made = await plan();
    expect([made.count, await stored('deletion_plan_parts')]).toEqual([10_700, 2]);
    const half = { deleted: 5_500, skipped: 0, remaining: 5_200, complete: false };
    expect([await confirm(made), left()]).toEqual([half, 5_200]);
    const all = { deleted: 10_700, skipped: 0, remaining: 0, complete: true };
    expect([await confirm(made), left()]).toEqual([all, 0]);
  });

  it('is slow while many events are unpublished', async () => {
    const dueResponses = {
      hasCapacity: async () => false,
      findByIds: async () => [],
    };
    const { plan, confirm } = start(100, { dueResponses, now: lookSeconds(1), deleteMs: 10_000 });
    const { remaining, complete } = await confirm(await plan());
    expect([remaining % 20, remaining < 100, complete]).toEqual([0, true, false]);
  });

  it('is rejected over the limit of a plan, and leaves nothing', async () => {
    const { plan } = start(30, { maxPlanned: 29 });
    const error = { path: '', code: 'TOO_MANY_RESPONSES', detail: expect.stringContaining('more than 29 responses') };
    await expect(plan()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [error] });
    expect(await stored('deletion_plan_parts')).toBe(0);
  });
});

describe('planning that takes long', () => {
  it('goes on, and a repeated request gets its plan once', async () => {
    let gate = Promise.withResolvers<void>();
    let reads = 0;
    const { plan } = start(0, {
      planMs: 1,
      async *read() {
        reads += 1;
        await gate.promise;
        yield [{ id: 'a', revision: 1 }];
      },
    });
    await expect(plan()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', retryAfterSeconds: 5 });
    gate.resolve();
    const made = await poll(() => plan().catch(() => undefined));
    expect([made.sampleIds, reads, await stored('deletion_plans')]).toEqual([['a'], 1, 1]);
    gate = Promise.withResolvers<void>();
    await expect(plan()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(reads).toBe(2);
    gate.resolve();
  });

  it('is not repeated in another replica, which gets the plan', async () => {
    const gate = Promise.withResolvers<void>();
    const surveyId = randomUUID();
    async function* read() {
      yield Array.from({ length: 3 }, () => ({ id: randomUUID(), revision: 1 }));
      await gate.promise;
      yield [{ id: randomUUID(), revision: 1 }];
    }
    const first = start(0, { planMs: 1, read, now: lookSeconds(2) }, surveyId);
    const second = start(9, { planMs: 1 }, surveyId);
    await expect(first.plan()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    const message = 'Planning takes longer: 3 responses are read. It goes on: repeat the request after some seconds';
    await poll(async () => {
      const error = await second.plan().catch((failure: unknown) => failure);
      return error instanceof Error && error.message === message;
    });
    const waiting = start(9, {}, surveyId).plan();
    gate.resolve();
    expect((await waiting).count).toBe(4);
    expect(await stored('deletion_plans')).toBe(1);
  });

  it('is repeated after the lease of a process that died, which changes nothing later', async () => {
    const gate = Promise.withResolvers<void>();
    const surveyId = randomUUID();
    let hasEnded = false;
    async function* read() {
      try {
        await gate.promise;
        yield [{ id: randomUUID(), revision: 1 }];
      } finally {
        hasEnded = true;
      }
    }
    await expect(start(0, { planMs: 1, read }, surveyId).plan()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    const other = start(9, { planMs: 500 }, surveyId);
    await expect(other.plan()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    other.passMs(30_001);
    const made = await other.plan();
    gate.resolve();
    await poll(() => hasEnded);
    expect([made.count, await stored('deletion_plans')]).toEqual([9, 1]);
    expect(await other.confirm(made)).toMatchObject({ deleted: 9, complete: true });
  });

  it('leaves no parts if its plan is purged meanwhile', async () => {
    const { plan } = start(0, {
      async *read() {
        yield [{ id: randomUUID(), revision: 1 }];
        await database.db.collection('deletion_plans').deleteMany({ tenant_id: context.tenantId });
      },
    });
    await expect(plan()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
    expect([await stored('deletion_plans'), await stored('deletion_plan_parts')]).toEqual([0, 0]);
  });

  it('is forgotten if no request gets its plan within a minute', async () => {
    const gate = Promise.withResolvers<void>();
    const { plan, passMs } = start(0, {
      planMs: 1,
      async *read() {
        await gate.promise;
        yield [{ id: randomUUID(), revision: 1 }];
      },
    });
    await expect(plan()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    gate.resolve();
    const ready = { tenant_id: context.tenantId, state: 'ready' };
    const first = await poll(() => database.db.collection('deletion_plans').findOne(ready));
    passMs(60_001);
    await plan().catch(() => undefined);
    expect((await poll(() => plan().catch(() => undefined))).id).not.toBe(first._id);
  });

  it('is limited together with slow counts', async () => {
    const slowReads = createSlowReads();
    const gate = Promise.withResolvers<void>();
    const counts = Array.from({ length: 4 }, () =>
      slowReads.run(context.tenantId, async (onSlow) => {
        onSlow();
        await gate.promise;
      }),
    );
    const quota = { name: 'slow-counts', requests: 4 };
    const slow = { slowReads, now: lookSeconds(1) };
    await expect(start(1, slow).plan()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', quota });
    expect((await start(1, { slowReads }).plan()).count).toBe(1);
    gate.resolve();
    await Promise.all(counts);
    expect((await start(1, slow).plan()).count).toBe(1);
  });
});

describe('planning that fails', () => {
  const quota = { name: 'slow-counts', requests: 4, windowSeconds: undefined };
  const busy = new AppError('TOO_MANY_REQUESTS', { detail: '4 counts are running', retryAfterSeconds: 5, quota });
  const busyCopy = {
    ...{ code: 'TOO_MANY_REQUESTS', message: '4 counts are running', retryAfterSeconds: 5 },
    quota: { name: 'slow-counts', requests: 4 },
  };

  it.each([
    ['too many responses match', { maxPlanned: 1 }, [], { code: 'VALIDATION_FAILED' }, 60_001],
    ['too many counts are running', {}, [busy], busyCopy, 4_001],
    ['a dependency fails', {}, [new Error('lost')], { code: 'UNAVAILABLE', retryAfterSeconds: 5 }, 4_001],
  ])('fails in all waiting requests and is not repeated: %s', async (_, given, [failure], expected, keptMs) => {
    const gate = Promise.withResolvers<void>();
    const surveyId = randomUUID();
    let reads = 0;
    async function* read() {
      reads += 1;
      await gate.promise;
      if (failure !== undefined) throw failure;
      yield ['a', 'b'].map((id) => ({ id, revision: 1 }));
    }
    const first = start(0, { ...given, read }, surveyId);
    const making = expect(first.plan()).rejects.toMatchObject(failure ?? expected);
    await poll(() => reads === 1);
    const others = [first, start(0, { ...given, read }, surveyId)];
    const waiting = others.map(({ plan }) => expect(plan()).rejects.toMatchObject(expected));
    gate.resolve();
    await Promise.all([making, ...waiting]);
    await expect(first.plan()).rejects.toMatchObject(expected);
    expect([reads, await stored('deletion_plan_parts')]).toEqual([1, 0]);
    first.passMs(keptMs);
    await expect(first.plan()).rejects.toMatchObject(failure ?? expected);
    expect(reads).toBe(2);
  });
});

describe('a fourth plan of a tenant', () => {
  it('replaces the oldest that is not in use', async () => {
    const { plan, confirm, passMs } = start(1_200, { deleteMs: 1 });
    const plans = [];
    for (const status of ['completed', 'in_progress', 'abandoned'] as const) {
      plans.push(await plan({ status }));
      passMs(1);
    }
    const [used, unused, last] = plans;
    if (used === undefined || unused === undefined || last === undefined) throw new Error('no plans');
    expect(await confirm(used)).toMatchObject({ complete: false });
    const fourth = await plan();
    await expect(confirm(unused)).rejects.toMatchObject({ code: 'DELETION_PLAN_NOT_FOUND' });
    expect([await stored('deletion_plans'), await stored('deletion_plan_parts')]).toEqual([3, 3]);
    for (const one of [last, fourth]) await confirm(one);
    const quota = { name: 'deletion-plans', requests: 3 };
    await expect(plan({ status: 'completed' })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', quota });
    expect(await stored('deletion_plan_parts')).toBe(3);
    passMs(60 * 60_000);
    expect((await plan({ status: 'completed' })).count).toBe(200);
  });
});
