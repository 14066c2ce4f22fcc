import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Delivery, makeDelivery } from './delivery.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import type { DeliveryFilter } from './delivery-service.ts';
import { createDeliveryStore, deliveryIndexes } from './delivery-store.ts';

let database: TestDatabase;
let collection: Collection<DeliveryDocument>;
let store: ReturnType<typeof createDeliveryStore>;

const tenantId = toTenantId('tenant-1');
const webhookId = randomUUID();
const types = ['survey.created', 'survey.closed'] as const;
const states = ['pending', 'delivered', 'delivered', 'delivered', 'failed'] as const;
const day = (number: number) => new Date(Date.UTC(2024, 4, number));

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { deliveries: deliveryIndexes });
  collection = database.db.collection<DeliveryDocument>('deliveries');
  store = createDeliveryStore(collection);
  const none = { ids: new Set<string>(), lease: { claim: '', until: new Date() } };
  await store.insertNew(
    Array.from({ length: 500 }, (_, index) => toDelivery(index)),
    none,
  );
  await store.insertNew([{ ...toDelivery(0), id: randomUUID(), webhookId: randomUUID() }], none);
});
afterAll(() => database.drop());

/** On each of 50 days, one delivery of each status and type. */
function toDelivery(index: number): Delivery {
  const type = types[index % 2] ?? types[0];
  const event = { id: randomUUID(), type, tenantId, time: day(1), data: {}, traceparent: '' };
  const status = states[Math.floor(index / 2) % 5] ?? 'pending';
  // Half of the failed deliveries are retried.
  const isFinal = status === 'failed' && Math.floor(index / 10) % 2 === 0;
  const isOver = isFinal || status === 'delivered';
  const failureReason = isFinal ? 'retries_exhausted' : undefined;
  return {
    ...makeDelivery(event, webhookId, day(1 + Math.floor(index / 10))),
    status,
    failureReason,
    ...(isOver && { nextAttemptAt: undefined }),
  };
}

interface Stage {
  readonly stage: string;
  readonly indexName?: string;
  readonly inputStage?: Stage;
}

const stagesOf = (stage: Stage): readonly Stage[] =>
  stage.inputStage === undefined ? [stage] : [stage, ...stagesOf(stage.inputStage)];

/** The query plan of a list. */
async function explain(filter: DeliveryFilter, limit: number) {
  await database.db.setProfilingLevel('all');
  const page = await store.list(tenantId, filter, { limit });
  await database.db.setProfilingLevel('off');
  const profile = database.db.collection('system.profile');
  const [last] = await profile.find({ op: 'query' }).sort({ ts: -1 }).limit(1).toArray();
  const explained = await collection
    .find(last?.['command'].filter)
    .sort(last?.['command'].sort)
    .limit(limit + 1)
    .explain('executionStats');
  return {
    page,
    docs: explained['executionStats'].totalDocsExamined,
    stages: stagesOf(explained['queryPlanner'].winningPlan),
  };
}

describe('a list of deliveries', () => {
  const since = day(20);
  const until = day(22);

  it.each([
    ['of all', {}, 500, 'newest_first'],
    ['of a state', { status: 'failed' }, 100, 'by_status'],
    ['of a rare state', { status: 'pending' }, 100, 'by_status'],
    ['of a type', { eventType: 'survey.closed' }, 250, 'newest_first'],
    ['of those that failed for good', { failedForGood: true }, 50, 'failed_for_good'],
    [
      'of those of a type and a time',
      { failedForGood: true, eventType: 'survey.closed', since, until },
      1,
      'failed_for_good',
    ],
    ['of those that are retried', { retrying: true }, 50, 'retrying'],
    ['of those of a type that are retried', { retrying: true, eventType: 'survey.closed' }, 25, 'retrying'],
    ['of those that failed and are retried', { retrying: true, status: 'failed' }, 50, 'retrying'],
    ['of an unknown type', { eventType: 'nope' }, 0, 'newest_first'],
    ['of a time', { since, until }, 20, 'newest_first'],
    ['from a time on', { since: day(50) }, 10, 'newest_first'],
    ['of a time that ends before it begins', { since: until, until: since }, 0, undefined],
    ['of a state, a type and a time', { status: 'failed', eventType: 'survey.closed', since, until }, 2, 'by_status'],
  ] as const)('%s reads what it shows by an index, in its order', async (_case, filter, count, index) => {
    const limit = 1_000;
    const { page, docs, stages } = await explain({ webhookId, ...filter }, limit);
    expect(page.items).toHaveLength(count);
    expect(docs).toBe(count);
    expect(stages.map(({ stage }) => stage)).not.toContain('SORT');
    expect(stages.map(({ stage }) => stage)).not.toContain('COLLSCAN');
    if (index !== undefined) expect(stages.find(({ stage }) => stage === 'IXSCAN')?.indexName).toBe(index);
    const times = page.items.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  it.each([{ status: 'pending' }, { status: 'delivered' }, { failedForGood: true }] as const)(
    'of those that are retried and %j is empty',
    async (filter) => {
      const { items } = await store.list(tenantId, { webhookId, retrying: true, ...filter }, { limit: 1_000 });
      expect(items).toEqual([]);
    },
  );

  it('keeps its filter on the next pages', async () => {
    const filter = { webhookId, status: 'failed', eventType: 'survey.created' } as const;
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list(tenantId, filter, { limit: 7, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect([seen.length, new Set(seen).size]).toEqual([50, 50]);
  });
});
