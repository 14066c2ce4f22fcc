import { randomUUID } from 'node:crypto';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
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

/** A service with stored plans. Its responses are in memory. */
function start(count: number, given: Given = {}) {
  const surveyId = randomUUID();
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
    cipherOf: async () => ({ stableHash: () => new Uint8Array(32) }) as never,
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
    let nowMs = 0;
    const now = () => {
      nowMs += 1_000;
      return nowMs;
    };
    const dueResponses = {
      hasCapacity: async () => false,
      findByIds: async () => [],
    };
    const { plan, confirm } = start(100, { dueResponses, now, deleteMs: 10_000 });
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
    let nowMs = 0;
    const slow = {
      slowReads,
      now: () => {
        nowMs += 1_000;
        return nowMs;
      },
    };
    await expect(start(1, slow).plan()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', quota });
    expect((await start(1, { slowReads }).plan()).count).toBe(1);
    gate.resolve();
    await Promise.all(counts);
    expect((await start(1, slow).plan()).count).toBe(1);
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
