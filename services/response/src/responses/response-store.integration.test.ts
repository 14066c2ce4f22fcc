import { randomBytes, randomUUID } from 'node:crypto';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import type { WalkLimits } from '@survey/runtime/mongo/walk';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection, CommandStartedEvent, Document } from 'mongodb';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressIndex } from '../progress/progress-store.ts';
import { createTestSlices, createTestWindows } from '../testing/test-stores.ts';
import { createCommitMetrics, createGroupCommit, type GroupCommit } from './group-commit.ts';
import type { Response } from './response.ts';
import {
  DELETION_INDEX,
  EXTERNAL_ID_INDEX,
  PLAINTEXT_EXTERNAL_IDS,
  type ResponseDocument,
  responseIndexes,
  TEMPORARY_INDEX,
} from './response-document-store.ts';
import { statusEvents } from './response-events.ts';
import type { ResponseFilter } from './response-filter.ts';
import { createResponseSealer, type ResponseSealer } from './response-sealer.ts';
import { createResponseStore, type ResponseStore } from './response-store.ts';
import { createSampleStore, sampleIndex } from './sample-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;
let groupCommit: GroupCommit<ResponseDocument>;
let store: ResponseStore;
let sealer: ResponseSealer;

const startStore = (limits?: WalkLimits) =>
  createResponseStore({
    collection,
    groupCommit,
    windows: createTestWindows(database.db),
    slices: createTestSlices(database.db),
    samples: createSampleStore({ collection, random: Math.random, ...(limits && { limits }) }),
    random: Math.random,
    onEvent: () => {},
    ...(limits && { limits }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await ensureIndexes(database.db, { responses: [...responseIndexes, sampleIndex, progressIndex, outboxIndex] });
  groupCommit = startGroupCommit(collection);
  store = startStore();
  const keyring = parseKeyring(JSON.stringify({ active: 'k', keys: { k: randomBytes(32).toString('base64') } }));
  sealer = createResponseSealer(
    createEnvelope({
      collection: database.db.collection<DataKeyDocument>('data_keys'),
      keyring: async () => keyring,
      clock: () => new Date(),
    }),
  );
});
afterAll(async () => {
  await groupCommit.stop();
  await database.drop();
});

function startGroupCommit(into: Collection<ResponseDocument>): GroupCommit<ResponseDocument> {
  const metrics = createCommitMetrics(new Registry());
  return createGroupCommit({ insert: (documents) => insertBatch(into, documents), sizeOf: () => 1_000, metrics });
}

const write = { replaced: undefined, recheck: () => undefined };
const newTenant = (): TenantId => toTenantId(randomUUID());

function newResponse(tenantId: TenantId, surveyId: string, second = 0): Response {
  const time = new Date(Date.UTC(2024, 0, 1) + second * 1000);
  return {
    id: randomUUID(),
    tenantId,
    surveyId,
    surveyVersion: 1,
    status: 'completed',
    createdAt: time,
    updatedAt: time,
    startedAt: undefined,
    completedAt: time,
    language: undefined,
    linkId: undefined,
    invitationId: undefined,
    externalId: undefined,
    revision: 1,
    data: { q: 'x' },
    metadata: undefined,
  };
}

const LINK = '0198c8f0-0000-7000-8000-00000000000a';
/** Filters that the matching responses of `fill` pass. */
const filters: readonly Omit<ResponseFilter, 'surveyId'>[] = [
  { status: 'completed', linkId: LINK, languages: ['en'], updatedSince: new Date(Date.UTC(2024, 0, 1)) },
  { linkId: LINK, completedSince: new Date(Date.UTC(2024, 0, 1)), completedUntil: new Date(Date.UTC(2030, 0, 1)) },
  { linkId: LINK, surveyVersion: 1 },
  { linkId: LINK },
];

/** Stores matching responses, as many to other surveys, and `inBetween` responses that do not match. */
async function fill(count: number, inBetween = 0) {
  const [tenantId, surveyId] = [newTenant(), randomUUID()];
  const { seal } = await sealer.forTenant(tenantId);
  const fitting = Array.from({ length: count }, (_, second) => [
    { ...newResponse(tenantId, surveyId, second), linkId: LINK, language: 'en' },
    { ...newResponse(tenantId, randomUUID(), second), linkId: LINK, language: 'en' },
  ]).flat();
  const others = Array.from({ length: inBetween }, (_, second) => newResponse(tenantId, surveyId, second));
  const responses = [...fitting, ...others];
  await store.insertAll(
    responses.map((response) => ({ response: seal(response), events: statusEvents(response, '') })),
  );
  return { tenantId, surveyId, ids: fitting.filter((r) => r.surveyId === surveyId).map(({ id }) => id) };
}

/** Returns the plan and the number of examined documents of the first command of this name in `run`. */
async function explain(name: string, run: () => Promise<unknown>): Promise<{ plan: string; documents: number[] }> {
  const commands: Document[] = [];
  const listen = (event: CommandStartedEvent) => {
    if (event.commandName === name) commands.push(event.command);
  };
  database.client.on('commandStarted', listen);
  await run();
  database.client.off('commandStarted', listen);
  const [first = {}] = commands;
  const { lsid: _1, $clusterTime: _2, $db: _3, readConcern: _4, maxTimeMS: _5, ...command } = first;
  const explained = await database.db.command({ explain: command, verbosity: 'executionStats' });
  // The executed plan, without the rejected plans.
  const plan = JSON.stringify(explained['executionStats'] ?? explained['stages']);
  const documents = [...plan.matchAll(/"totalDocsExamined":(\d+)/g)].map(([, count]) => Number(count));
  return { plan, documents };
}

describe('the response store', () => {
  it.each([{}, ...filters])('counts with the index alone: %j', async (filter) => {
    const { tenantId, surveyId } = await fill(30, 30);
    const { plan, documents } = await explain('aggregate', () => store.count(tenantId, { surveyId, ...filter }));
    expect(documents).toEqual([0]);
    expect(plan).toContain('"indexName":"by_creation"');
    expect(plan).not.toMatch(/"stage":"(FETCH|COLLSCAN)"/);
  });

  it.each([
    ...[{}, ...filters].map((filter) => ({ ...filter, order: 'desc' as const })),
    ...[{}, ...filters].map((filter) => ({ ...filter, order: 'asc' as const })),
  ])('lists with the index, without sorting, and reads only the page: %j', async ({ order, ...filter }) => {
    const { tenantId, surveyId } = await fill(30, 30);
    const asked = { surveyId, ...filter };
    const { nextCursor } = await store.list(tenantId, asked, { limit: 5, order });
    expect(nextCursor).toBeDefined();
    for (const cursor of [undefined, nextCursor]) {
      const { plan, documents } = await explain('find', () => store.list(tenantId, asked, { limit: 5, cursor, order }));
      // The page, one document to detect a next page, and the last document of the previous page.
      expect(documents[0]).toBeLessThanOrEqual(5 + 2);
      expect(plan).toContain('"indexName":"by_creation"');
      expect(plan).not.toContain('"stage":"SORT"');
    }
  });

  it('finds external ids in both forms, and reads only the matches with their indexes', async () => {
    const { tenantId, surveyId } = await fill(30, 30);
    const { seal } = await sealer.forTenant(tenantId);
    const [one, other, old] = [1, 2, 3].map((second) => newResponse(tenantId, surveyId, second));
    if (one === undefined || other === undefined || old === undefined) throw new Error('there are three');
    const sealed = [seal({ ...one, externalId: 'A' }), seal({ ...other, externalId: 'B' })];
    const responses = [...sealed, { ...seal(old), externalId: 'A' }];
    await store.insertAll(responses.map((response) => ({ response, events: [] })));
    const tag = await sealer.tagOf(tenantId, surveyId, 'A');
    const both = { surveyId, externalId: { tag, text: 'A' } };
    expect((await store.list(tenantId, both, { limit: 5 })).items.map(({ id }) => id)).toEqual([old.id, one.id]);
    expect(await store.count(tenantId, both)).toBe(2);
    const has = (externalId: string) => store.hasPlaintext({ tenantId, surveyId }, externalId);
    expect([await has('A'), await has('B')]).toEqual([true, false]);
    const asked = { surveyId, externalId: { tag } };
    expect(await startStore({ singleReadMs: 0, timeMs: 0, slice: 8 }).count(tenantId, asked)).toBe(1);
    for (const [name, index, run] of [
      ['find', EXTERNAL_ID_INDEX, () => store.list(tenantId, asked, { limit: 5 })],
      ['find', EXTERNAL_ID_INDEX, () => store.list(tenantId, asked, { limit: 5, order: 'asc' })],
      ['aggregate', EXTERNAL_ID_INDEX, () => store.count(tenantId, asked)],
      ['find', PLAINTEXT_EXTERNAL_IDS.name, () => has('A')],
    ] as const) {
      const { plan, documents } = await explain(name, run);
      expect(Math.max(...documents)).toBeLessThanOrEqual(1);
      expect(plan).toContain(`"indexName":"${index}"`);
      expect(plan).not.toContain('"stage":"SORT"');
    }
  });

  describe('with a filter that few of very many responses match', () => {
    const limits = { singleReadMs: 0, timeMs: 0, slice: 8 };

    async function pagesOf(read: (cursor: string | undefined) => ReturnType<ResponseStore['list']>) {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await read(cursor);
        pages.push(page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    }

    it.each(filters)('lists and samples parts, counts slices, and reads only the index for it: %j', async (filter) => {
      const { tenantId, surveyId } = await fill(30, 30);
      const asked = { surveyId, ...filter };
      const { items } = await store.list(tenantId, asked, { limit: 1_000 });
      const ids = items.map(({ id }) => id);
      const slow = startStore(limits);
      const listed = await pagesOf((cursor) => slow.list(tenantId, asked, { limit: 1_000, cursor }));
      expect(listed.flat()).toEqual(ids);
      expect(listed.length).toBeGreaterThan(1);
      const sampled = await pagesOf((cursor) => slow.sample(tenantId, asked, { limit: 1_000, cursor }));
      expect(sampled.flat().toSorted()).toEqual(ids.toSorted());
      let slices = 0;
      const onSlice = () => {
        slices += 1;
      };
      expect(await slow.count(tenantId, asked, onSlice)).toBe(ids.length);
      expect(slices).toBeGreaterThan(0);
      const { plan, documents } = await explain('find', () => slow.list(tenantId, asked, { limit: 5 }));
      expect(documents).toEqual([0]);
      expect(plan).toContain('"indexName":"by_creation"');
    });
  });

  it('has at most five indexes of responses besides `_id`, and those for requests start with the tenant', async () => {
    const ofTombstones = [DELETION_INDEX, TEMPORARY_INDEX];
    // A response without an external id has no entry in these indexes.
    const ofExternalIds = [EXTERNAL_ID_INDEX, PLAINTEXT_EXTERNAL_IDS.name];
    const all = await collection.indexes();
    const partial = all.filter(({ name = '' }) => [...ofTombstones, ...ofExternalIds].includes(name));
    for (const { partialFilterExpression } of partial) expect(partialFilterExpression).toBeDefined();
    const indexes = all.filter((index) => index.name !== '_id_' && !partial.includes(index));
    expect(indexes.length).toBeLessThanOrEqual(5);
    const serving = indexes.filter(({ name }) => name !== progressIndex.name && name !== outboxIndex.name);
    for (const { key } of serving) expect(Object.keys(key)[0]).toBe('tenant_id');
  });

  it('samples all responses if there are fewer than requested', async () => {
    const { tenantId, surveyId, ids } = await fill(7);
    const sample = await store.sample(tenantId, { surveyId }, { limit: 1_000 });
    expect(sample.items.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await store.sample(tenantId, { surveyId: randomUUID() }, { limit: 1_000 })).toEqual({ items: [] });
  });

  it('rejects a sample with too many bytes, and returns a smaller one', async () => {
    const [tenantId, surveyId] = [newTenant(), randomUUID()];
    const { seal } = await sealer.forTenant(tenantId);
    const large = { q: 'x'.repeat(3 * 1024 * 1024) };
    const responses = Array.from({ length: 7 }, () => ({ ...newResponse(tenantId, surveyId), data: large }));
    await store.insertAll(responses.map((response) => ({ response: seal(response), events: [] })));
    await expect(store.sample(tenantId, { surveyId }, { limit: 7 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: '/limit', code: 'TOO_LARGE' }],
    });
    expect((await store.sample(tenantId, { surveyId }, { limit: 5 })).items).toHaveLength(5);
  });

  it('lists responses with equal times without gaps and repetition', async () => {
    const [tenantId, surveyId] = [newTenant(), randomUUID()];
    const { seal } = await sealer.forTenant(tenantId);
    const responses = Array.from({ length: 9 }, () => newResponse(tenantId, surveyId));
    await store.insertAll(
      responses.map((response) => ({ response: seal(response), events: statusEvents(response, '') })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list(tenantId, { surveyId }, { limit: 2, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(9);
    expect(new Set(seen)).toEqual(new Set(responses.map(({ id }) => id)));
  });

  it('replaces a response only at its expected revision, and appends the events', async () => {
    const tenantId = newTenant();
    const response = newResponse(tenantId, randomUUID());
    const { seal } = await sealer.forTenant(tenantId);
    const [event] = statusEvents(response, '');
    if (event === undefined) throw new Error('it is complete');
    await store.put({ ...write, response: seal(response, 'request'), events: [event] });
    const before = await store.find(tenantId, response.id);
    const changed = { status: 'disqualified', language: 'de', revision: 2, data: { q: 'y' } } as const;
    const after = seal({ ...response, ...changed });
    const later = { ...event, id: 'later' };
    expect(await store.replace({ ...response, tenantId: newTenant() }, after, [later])).toBe(false);
    expect(await store.replace(response, after, [later])).toBe(true);
    expect(await store.replace(response, after, [later])).toBe(false);
    expect(await store.find(tenantId, response.id)).toEqual({ ...after, requestHash: before?.requestHash });
    const document = await collection.findOne({ _id: response.id });
    expect(document?.outbox.map(({ id }) => id)).toEqual([event.id, 'later']);
  });

  it('returns nothing of another tenant', async () => {
    const { surveyId, ids } = await fill(2);
    const other = newTenant();
    expect(await store.find(other, ids[0] ?? '')).toBeUndefined();
    expect(await store.list(other, { surveyId }, { limit: 10, cursor: undefined })).toEqual({ items: [] });
    expect(await store.sample(other, { surveyId }, { limit: 10 })).toEqual({ items: [] });
    expect(await store.count(other, { surveyId })).toBe(0);
  });

  it('reports UNAVAILABLE if a write may not be durable, and a retry finds the stored response', async () => {
    const tenantId = newTenant();
    const response = newResponse(tenantId, randomUUID());
    const sealed = (await sealer.forTenant(tenantId)).seal(response);
    // The replica set has fewer than five members, so the write is stored but not acknowledged.
    const hasty = database.client.db(database.db.databaseName, { writeConcern: { w: 5, wtimeoutMS: 1 } });
    const failing = startGroupCommit(hasty.collection('responses'));
    const broken = createResponseStore({
      collection,
      groupCommit: failing,
      windows: createTestWindows(database.db),
      slices: createTestSlices(database.db),
      samples: createSampleStore({ collection, random: Math.random }),
      random: Math.random,
      onEvent: () => {},
    });
    const events = statusEvents(response, '');
    await expect(broken.put({ ...write, response: sealed, events })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await store.put({ ...write, response: sealed, events })).toBe(false);
    expect(await store.find(tenantId, response.id)).toEqual(sealed);
  });
});
