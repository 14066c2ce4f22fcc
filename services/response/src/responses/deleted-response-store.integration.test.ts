import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { Binary, type Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestWindows } from '../testing/test-windows.ts';
import { createDeletedResponseStore, type DeletedResponseStore } from './deleted-response-store.ts';
import { deletedEvents } from './response-events.ts';
import { fromDocument, type ResponseDocument, responseIndexes } from './response-store.ts';

const tenantId = toTenantId('ours');
const bytes = new Binary();
const day = (number: number) => new Date(Date.UTC(2024, 4, number));

let database: TestDatabase;
let collection: Collection<ResponseDocument>;
let store: DeletedResponseStore;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await ensureIndexes(database.db, { responses: [...responseIndexes, outboxIndex] });
  store = createDeletedResponseStore({ collection, windows: createTestWindows(database.db), onEvent: () => {} });
});
beforeEach(async () => {
  await collection.deleteMany({});
});
afterAll(() => database.drop());

async function insert(made: 'by a key' | 'without a key' | 'by a token', createdAt = day(1)) {
  const document: ResponseDocument = {
    _id: randomUUID(),
    tenant_id: tenantId,
    survey_id: 's',
    survey_version: 1,
    status: 'completed',
    created_at: createdAt,
    updated_at: createdAt,
    started_at: null,
    completed_at: createdAt,
    language: null,
    link_id: made === 'by a token' ? 'l' : null,
    external_id: null,
    revision: 3,
    data: { v: 1, kv: 1, iv: bytes, ct: bytes, tag: bytes },
    metadata: null,
    request_hash: made === 'without a key' ? null : { kv: 1, mac: bytes },
    draw: '0',
    outbox: [],
  };
  await collection.insertOne(document);
  return fromDocument(document);
}

const eventsOf = (response: ReturnType<typeof fromDocument>) =>
  deletedEvents({ tenantId, actor: 'u', requestId: '', traceparent: '' }, response, day(2));

/** As the relay does once they are published. */
const publishAll = () => collection.updateMany({}, { $set: { outbox: [] } });

describe('a deleted response', () => {
  it('leaves its id and its events when a request with a key made it', async () => {
    const response = await insert('by a key');
    const events = eventsOf(response);
    expect(await store.remove(response, events)).toBe(true);
    const left = await collection.findOne({ _id: response.id });
    expect(Object.keys(left ?? {})).toEqual(['_id', 'created_at', 'outbox']);
    expect(left?.outbox.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(await store.has(response.id)).toBe(true);
    expect(await store.remove(response, events)).toBe(false);
  });

  it('leaves a tombstone for its events when it was made without', async () => {
    const response = await insert('without a key');
    expect(await store.remove(response, eventsOf(response))).toBe(true);
    expect(await collection.findOne({ _id: response.id })).toMatchObject({ tombstone: true });
  });

  it.each(['by a key', 'without a key'] as const)(
    'stays as it is when it is at another revision, or of another tenant, made %s',
    async (made) => {
      const response = await insert(made);
      const events = eventsOf(response);
      for (const other of [{ revision: 2 }, { tenantId: toTenantId('theirs') }])
        expect(await store.remove({ ...response, ...other }, events)).toBe(false);
      expect(await store.has(response.id)).toBe(false);
      expect(await collection.findOne({ _id: response.id })).toMatchObject({ tenant_id: tenantId });
    },
  );

  it('is forgotten when it was stored before the time, and its events are out', async () => {
    const [old, young] = [await insert('by a key', day(1)), await insert('by a key', day(3))];
    for (const response of [old, young]) await store.remove(response, eventsOf(response));
    expect(await store.forgetSome(day(2))).toBe(false);
    await publishAll();
    expect(await store.forgetSome(day(2))).toBe(true);
    expect(await store.forgetSome(day(2))).toBe(false);
    expect([await store.has(old.id), await store.has(young.id)]).toEqual([false, true]);
  });

  it('is not forgotten before its tenant when its key may be a token of a single-use link', async () => {
    const response = await insert('by a token');
    await store.remove(response, eventsOf(response));
    await publishAll();
    expect(await store.forgetSome(day(9))).toBe(false);
    expect(await store.has(response.id)).toBe(true);
    expect(await collection.findOne({ _id: response.id })).toEqual({
      _id: response.id,
      created_at: response.createdAt,
      outbox: [],
      tenant_id: tenantId,
    });
  });

  it('takes nothing with it when it is forgotten', async () => {
    const [kept, buried] = [await insert('by a key'), await insert('without a key')];
    await store.remove(buried, eventsOf(buried));
    await publishAll();
    expect(await store.forgetSome(day(9))).toBe(false);
    expect(await collection.countDocuments({ _id: { $in: [kept.id, buried.id] } })).toBe(2);
  });
});
