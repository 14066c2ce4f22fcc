import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection, Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  fromDocument,
  NEWEST_FIRST_HINT,
  type ResponseDocument,
  responseIndexes,
} from '../responses/response-document-store.ts';
import { serviceDeletionEvents } from '../responses/response-events.ts';
import { newResponseDocument } from '../testing/new-response.ts';
import { createTestDeletion } from '../testing/retention-replica.ts';
import { createDueResponseStore, type DueResponseStore } from './retention-store.ts';
import type { SurveyRetention } from './survey-walk.ts';

const DAY_MS = 24 * 60 * 60_000;
const [ours, theirs] = [toTenantId('ours'), toTenantId('theirs')];
const always = async () => true;
/** Returns true this many times. */
const times = (count: number) => {
  const results = Array.from({ length: count }, () => true);
  return async () => results.pop() ?? false;
};
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

let database: TestDatabase;
let responses: Collection<ResponseDocument>;
let surveyId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  responses = database.db.collection('responses');
  await ensureIndexes(database.db, { responses: [...responseIndexes, outboxIndex] });
});
beforeEach(async () => {
  surveyId = randomUUID();
  for (const name of ['responses', 'write_windows', 'files', 'file_chunks'])
    await database.db.collection(name).deleteMany({});
});
afterAll(() => database.drop());

async function insert(given: Partial<ResponseDocument> = {}): Promise<ResponseDocument> {
  const document = newResponseDocument({ survey_id: surveyId, ...given });
  await responses.insertOne(document);
  return document;
}

const keptFor = (retentionDays: number | undefined): SurveyRetention => ({
  state: 'kept',
  surveyId,
  tenantId: ours,
  retentionDays,
});
const purged = (): SurveyRetention => ({ state: 'purged', surveyId, tenantId: ours });
const left = async () =>
  (await responses.find({ survey_id: { $exists: true } }).toArray()).map(({ _id }) => _id).sort();
const eventsOf = async (id: string) => (await responses.findOne({ _id: id }))?.outbox.map(({ type }) => type);

describe('the responses to a survey', () => {
  it('are deleted at the end of their retention, with an event each', async () => {
    const { deleteDueData, counts } = createTestDeletion(database.db);
    const old = [
      await insert({ created_at: ago(7.01) }),
      await insert({ created_at: ago(900), status: 'in_progress' }),
    ];
    const stay = [
      await insert({ created_at: ago(6.99) }),
      await insert({ created_at: ago(9), survey_id: randomUUID() }),
      await insert({ created_at: ago(9), tenant_id: theirs }),
    ];
    expect(await deleteDueData(keptFor(7), always)).toBe('next-walk');
    expect(await left()).toEqual(stay.map(({ _id }) => _id).sort());
    for (const { _id } of old) expect(await eventsOf(_id)).toEqual(['response.deleted']);
    expect(counts).toEqual({ retention: 2, purge: 0 });
    expect(await deleteDueData(keptFor(7), always)).toBe('next-walk');
    expect(counts.retention).toBe(2);
  });

  it('leave only tombstones with their events', async () => {
    const mac = newResponseDocument().data.ct;
    const byKey = await insert({ request_hash: { kv: 1, mac } });
    const byToken = await insert({ request_hash: { kv: 1, mac }, link_id: 'l' });
    const without = await insert();
    await createTestDeletion(database.db).deleteDueData(keptFor(1), always);
    const kept = await Promise.all(
      [byKey, byToken, without].map(async ({ _id }) => Object.keys((await responses.findOne({ _id })) ?? {}).sort()),
    );
    const names = ['_id', 'changed', 'created_at', 'deleted_from', 'ledger_entries', 'outbox', 'revision', 'status'];
    const permanent = [...names, 'tenant_id'];
    const temporary = [...permanent, 'temporary'].sort();
    expect(kept).toEqual([temporary, permanent, temporary]);
  });

  it('are kept forever without a retention', async () => {
    const { _id } = await insert({ created_at: ago(30_000) });
    await createTestDeletion(database.db).deleteDueData(keptFor(undefined), always);
    expect(await left()).toEqual([_id]);
  });

  it('are found again if they change during the deletion', async () => {
    const { _id } = await insert();
    const store = createDueResponseStore(responses);
    const changing: DueResponseStore = {
      ...store,
      async findBatch(...asked) {
        const found = await store.findBatch(...asked);
        await responses.updateOne({ _id, revision: 1 }, { $inc: { revision: 1 } });
        return found;
      },
    };
    const { deleteDueData, counts } = createTestDeletion(database.db, { dueResponses: changing });
    expect(await deleteDueData(keptFor(1), always)).toBe('next-walk');
    expect([await left(), counts.retention]).toEqual([[], 1]);
    const [event] = (await responses.findOne({ _id }))?.outbox ?? [];
    const at = serviceDeletionEvents(fromDocument({ ...newResponseDocument({ _id }), revision: 2 }), new Date());
    expect(event?.id).toBe(at[0].id);
  });

  it('wait while thousands of events are unpublished', async () => {
    const events = serviceDeletionEvents(fromDocument(newResponseDocument()), new Date());
    const first = newResponseDocument({ outbox: events });
    const others = Array.from({ length: 1_999 }, () => newResponseDocument({ outbox: events }));
    await responses.insertMany([first, ...others]);
    const { _id } = await insert();
    const { deleteDueData } = createTestDeletion(database.db);
    expect(await deleteDueData(keptFor(1), times(2))).toBe('soon');
    expect(await responses.findOne({ _id })).toMatchObject({ survey_id: surveyId });
    await responses.updateOne({ _id: first._id }, { $set: { outbox: [] } });
    expect(await deleteDueData(keptFor(1), always)).toBe('next-walk');
    expect(await responses.findOne({ _id })).not.toHaveProperty('survey_id');
  });

  it('are deleted slowly while thousands of events stay unpublished', async () => {
    const events = serviceDeletionEvents(fromDocument(newResponseDocument()), new Date());
    await responses.insertMany(Array.from({ length: 2_000 }, () => newResponseDocument({ outbox: events })));
    await responses.insertMany(Array.from({ length: 50 }, () => newResponseDocument({ survey_id: surveyId })));
    const { deleteDueData, counts } = createTestDeletion(database.db, { slowPauseMs: 0 });
    expect(await deleteDueData(keptFor(1), times(2))).toBe('soon');
    expect(counts.retention).toBe(40);
    expect(await deleteDueData(keptFor(1), always)).toBe('next-walk');
    expect(counts.retention).toBe(50);
  });

  it('are deleted in batches, between which the deletion can stop', async () => {
    await responses.insertMany(Array.from({ length: 1_200 }, () => newResponseDocument({ survey_id: surveyId })));
    const { deleteDueData, counts } = createTestDeletion(database.db);
    expect(await deleteDueData(keptFor(1), times(2))).toBe('soon');
    expect([(await left()).length, counts.retention]).toEqual([200, 1_000]);
  });

  it('are found with the index, in its order', async () => {
    const found = responses.find(
      { tenant_id: ours, survey_id: surveyId, created_at: { $lt: ago(1) } },
      NEWEST_FIRST_HINT,
    );
    const plan = await found.sort({ created_at: 1, _id: 1 }).explain('queryPlanner');
    const text = JSON.stringify(plan['queryPlanner'].winningPlan);
    expect(text).toContain('"direction":"backward"');
    expect(text).not.toMatch(/COLLSCAN|"SORT"/);
  });

  it('are in a write window, so that cached aggregates are computed again', async () => {
    await insert();
    await createTestDeletion(database.db).deleteDueData(keptFor(1), always);
    const window = await database.db
      .collection<{ _id: string; until: Date }>('write_windows')
      .findOne({ _id: surveyId });
    expect(window?.until.getTime()).toBeGreaterThan(Date.now());
  });
});

describe('the files of responses', () => {
  it('are destroyed with them, and others stay', async () => {
    const [old, young] = [await insert(), await insert({ created_at: new Date() })];
    const files = database.db.collection('files');
    const chunks = database.db.collection<{ _id: string; tenant_id: string }>('file_chunks');
    const ids = await Promise.all(
      [old, young].map(async ({ _id }) => {
        const id = randomUUID();
        const file = { tenant_id: ours, survey_id: surveyId, state: 'attached', response_id: _id, size: 1, chunks: 1 };
        await files.insertOne({ ...file, _id: id as never });
        await chunks.insertOne({ _id: `${id}.000000`, tenant_id: ours });
        return id;
      }),
    );
    await createTestDeletion(database.db).deleteDueData(keptFor(1), always);
    const found = await files.find({ survey_id: surveyId }).toArray();
    expect(found.map(({ _id }) => String(_id))).toEqual([ids[1]]);
    expect(await chunks.countDocuments({ _id: { $in: ids.map((id) => `${id}.000000`) } })).toBe(1);
  });
});

describe('a purged survey', () => {
  const plans = ['deletion_plans', 'deletion_plan_parts'];
  const owned = ['definitions', 'links', 'ledgers', 'count_slices', 'write_windows', 'files', 'file_chunks', ...plans];
  /** Inserts a document of a survey into every collection. */
  async function fill(tenantId: string, id: string): Promise<void> {
    const put = (name: string, document: Document) =>
      database.db.collection(name).insertOne({ ...document, tenant_id: tenantId });
    const file = { survey_id: id, response_id: null, state: 'ready', size: 1, chunks: 1 };
    const fileId = randomUUID();
    await put('definitions', { _id: `${id}:1` as never, survey_id: id, version: 1 });
    await put('links', { _id: `slug-${id}` as never, survey_id: id, link_id: randomUUID() });
    await put('ledgers', { _id: id as never, survey_id: id, link_id: null, used: 1, entries: [] });
    await put('count_slices', { _id: `${tenantId}:${id}:` as never, survey_id: id, since: null, until: new Date() });
    await put('write_windows', { _id: id as never, until: new Date() });
    for (const name of plans) await put(name, { _id: id as never, survey_id: id });
    await put('files', { ...file, _id: fileId as never });
    await put('file_chunks', { _id: `${fileId}.000000` as never });
  }
  const countsOf = (tenantId: string) =>
    Promise.all(owned.map((name) => database.db.collection(name).countDocuments({ tenant_id: tenantId })));

  it('keeps its definitions until the events of its tombstones are published', async () => {
    await fill(ours, surveyId);
    const { _id } = await insert({ link_id: 'l' });
    const { deleteDueData } = createTestDeletion(database.db);
    await deleteDueData(keptFor(1), always);
    const definitions = database.db.collection('definitions');
    const count = () => definitions.countDocuments({ survey_id: surveyId });
    for (let visits = 0; visits < 3; visits += 1) expect(await deleteDueData(purged(), always)).toBe('next-walk');
    expect([await eventsOf(_id), await count()]).toEqual([['response.deleted'], 1]);
    await responses.updateOne({ _id }, { $set: { outbox: [] } });
    for (let visits = 0; visits < 2; visits += 1) await deleteDueData(purged(), always);
    expect([await responses.findOne({ _id }), await count()]).toEqual([null, 0]);
  });

  it('has no data after two visits, the second of which finds none, and other surveys keep theirs', async () => {
    const other = randomUUID();
    await fill(ours, surveyId);
    await fill(ours, other);
    await fill(theirs, randomUUID());
    const mac = newResponseDocument().data.ct;
    const gone = [
      await insert({ created_at: new Date() }),
      await insert({ request_hash: { kv: 1, mac }, link_id: 'l' }),
    ];
    const stay = [await insert({ survey_id: other }), await insert({ tenant_id: theirs })];
    const { deleteDueData, counts } = createTestDeletion(database.db);

    expect(await deleteDueData(purged(), always)).toBe('next-walk');
    expect(await left()).toEqual(stay.map(({ _id }) => _id).sort());
    expect(counts).toEqual({ retention: 0, purge: 2 });
    for (const { _id } of gone) expect(await responses.findOne({ _id })).toMatchObject({ tombstone: true });
    expect(await countsOf(ours)).toEqual([2, 1, 1, 1, 2, 1, 1, 1, 1]);

    // A running call stores another document.
    const late = await insert();
    expect(await deleteDueData(purged(), always)).toBe('next-walk');
    expect([await left(), (await countsOf(ours))[0]]).toEqual([expect.not.arrayContaining([late._id]), 2]);

    expect(await deleteDueData(purged(), always)).toBe('next-walk');
    expect([await countsOf(ours), await countsOf(theirs)]).toEqual([
      [1, 1, 1, 1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1, 1, 1, 1],
    ]);
  });
});
