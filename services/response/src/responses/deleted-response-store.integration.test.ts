import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { Binary, type Collection, Timestamp } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestSlices, createTestWindows } from '../testing/test-stores.ts';
import { createDeletedResponseStore, type DeletedResponseStore } from './deleted-response-store.ts';
import {
  findStates,
  fromDocument,
  newVoid,
  type ResponseDocument,
  responseIndexes,
} from './response-document-store.ts';
import { deletedEvents } from './response-events.ts';

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
  store = createDeletedResponseStore({
    collection,
    windows: createTestWindows(database.db),
    slices: createTestSlices(database.db),
    onEvent: () => {},
  });
});
beforeEach(async () => {
  await collection.deleteMany({});
});
afterAll(() => database.drop());

const isDeleted = async (id: string) => (await findStates(collection, [id])).get(id)?.kind === 'deleted';

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

/** Removes published events like the relay. */
const publishAll = () => collection.updateMany({}, { $set: { outbox: [] } });

const backdate = (id: string, time: Date) => collection.updateOne({ _id: id }, { $set: { created_at: time } });

describe('a deleted response', () => {
  it.each(['by a key', 'without a key'] as const)('leaves a tombstone with its events, made %s', async (made) => {
    const response = await insert(made);
    const events = eventsOf(response);
    expect(await store.remove(response, events)).toBe(true);
    const left = await collection.findOne({ _id: response.id });
    expect(left).toEqual({
      _id: response.id,
      status: 'deleted',
      revision: 4,
      created_at: expect.any(Date),
      deleted_from: 's',
      tenant_id: tenantId,
      changed: expect.any(Timestamp),
      temporary: true,
      ledger_entries: [],
      outbox: events,
    });
    expect(await isDeleted(response.id)).toBe(true);
    expect(await store.remove(response, events)).toBe(false);
  });

  it('leaves no tombstone if its survey is purged', async () => {
    const response = await insert('by a key');
    expect(await store.purgeUnchanged(response, [{ response, events: eventsOf(response) }])).toBe(1);
    // The relay deletes the tombstone with its events.
    expect(await collection.findOne({ _id: response.id })).toMatchObject({ tombstone: true });
  });

  it('keeps its ledger entries, and that of its deletion', async () => {
    const response = await insert('without a key');
    const [admission, deletion] = [randomUUID(), randomUUID()];
    await collection.updateOne({ _id: response.id }, { $set: { ledger_entries: [admission] } });
    await store.removeUnchanged(response, [{ response, events: eventsOf(response) }], deletion);
    expect(await collection.findOne({ _id: response.id })).toMatchObject({ ledger_entries: [admission, deletion] });
  });

  it.each(['by a key', 'without a key'] as const)(
    'is not deleted if it is at another revision, or of another tenant, made %s',
    async (made) => {
      const response = await insert(made);
      const events = eventsOf(response);
      for (const other of [{ revision: 2 }, { tenantId: toTenantId('theirs') }])
        expect(await store.remove({ ...response, ...other }, events)).toBe(false);
      expect(await isDeleted(response.id)).toBe(false);
      expect(await collection.findOne({ _id: response.id })).toMatchObject({ tenant_id: tenantId });
    },
  );

  it('loses its tombstone after a time, once its events are published', async () => {
    const [old, young] = [await insert('by a key'), await insert('without a key')];
    for (const response of [old, young]) await store.remove(response, eventsOf(response));
    await backdate(old.id, day(1));
    expect(await store.deleteTombstones(day(2))).toBe(false);
    await publishAll();
    expect(await store.deleteTombstones(day(2))).toBe(true);
    expect(await store.deleteTombstones(day(2))).toBe(false);
    expect([await isDeleted(old.id), await isDeleted(young.id)]).toEqual([false, true]);
  });

  it('keeps its tombstone as long as its tenant if its key may be a token of a single-use link', async () => {
    const response = await insert('by a token');
    await store.remove(response, eventsOf(response));
    await backdate(response.id, day(1));
    await publishAll();
    expect(await store.deleteTombstones(day(9))).toBe(false);
    expect(await isDeleted(response.id)).toBe(true);
    expect(await collection.findOne({ _id: response.id })).toMatchObject({ tenant_id: tenantId });
  });

  it('does not affect others when its tombstone is deleted', async () => {
    const [kept, deleted] = [await insert('by a key'), await insert('without a key')];
    await store.remove(deleted, eventsOf(deleted));
    await publishAll();
    expect(await store.deleteTombstones(new Date(Date.now() + 60_000))).toBe(true);
    expect((await collection.find().toArray()).map(({ _id }) => _id)).toEqual([kept.id]);
  });

  it('is not the same as a void response', async () => {
    const id = randomUUID();
    await collection.insertOne(newVoid(id, day(1)));
    expect(await isDeleted(id)).toBe(false);
    expect(await store.deleteTombstones(day(2))).toBe(true);
    expect(await collection.findOne({ _id: id })).toBeNull();
  });
});
