import { once } from 'node:events';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent, type OutboxDocument, outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { createOutboxStore } from '@survey/runtime/kafka/outbox-store';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { fromMongoError } from '@survey/runtime/mongo/mongo-errors';
import type { TenantDocument } from '@survey/runtime/mongo/tenant-collection';
import { startTcpProxy } from '@survey/runtime/testing/network/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertWithEvents } from './response-store.ts';

interface Note extends TenantDocument, OutboxDocument {
  readonly _id: string;
  readonly text: string;
}

let database: TestDatabase;
let notes: Collection<Note>;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  notes = await database.createCollection([outboxIndex]);
  await database.db.command({ collMod: notes.collectionName, validator: { text: { $in: ['x', null] } } });
});
afterAll(() => database.drop());

const note = (_id: string): Note => ({
  _id,
  tenant_id: toTenantId('t'),
  text: 'x',
  outbox: [
    makeEvent({
      topic: 'notes',
      recordId: _id,
      revision: 1,
      type: 'note.created',
      source: '/notes',
      tenantId: toTenantId('t'),
      time: new Date(),
      data: {},
      traceparent: '',
    }),
  ],
});
const many = (count: number) => Array.from({ length: count }, (_, index) => note(`n${index}`));
const eventsOf = (documents: readonly OutboxDocument[]) =>
  documents.flatMap(({ outbox = [] }) => outbox.map(({ id }) => id)).toSorted();
const storedNotes = () => notes.find({ tombstone: { $exists: false } }).toArray();
/** Reads and removes events like the relay. */
async function takeEvents(): Promise<readonly string[]> {
  const store = createOutboxStore(notes as unknown as Collection<OutboxDocument>);
  const page = await store.findPage(1_000);
  await store.removeEvents(page);
  return eventsOf(page);
}

describe('insertWithEvents', () => {
  it('stores the events of many documents in tombstones', async () => {
    const documents = many(101);
    const outcomes = await insertWithEvents(notes, documents);
    expect(outcomes).toEqual(documents.map(() => ({ kind: 'inserted' })));
    expect(await storedNotes()).toEqual(documents.map((document) => ({ ...document, outbox: [] })));
    expect(await notes.countDocuments({ tombstone: true })).toBe(6);
    expect(await takeEvents()).toEqual(eventsOf(documents));
    expect(await notes.countDocuments()).toBe(101);
  });

  it('stores few events in their documents', async () => {
    const documents = many(19);
    await insertWithEvents(notes, documents);
    expect(await notes.find().toArray()).toEqual(documents);
  });

  it('returns the outcome of each document, and stores events of inserted ones only', async () => {
    await notes.insertOne({ ...note('n7'), outbox: [] });
    const documents = many(50).map((document) => (document._id === 'n9' ? { ...document, text: 'y' } : document));
    const outcomes = await insertWithEvents(notes, documents);
    const expected = documents.map(({ _id }) => ({ n7: 'duplicate', n9: 'failed' })[_id] ?? 'inserted');
    expect(outcomes.map(({ kind }) => kind)).toEqual(expected);
    const inserted = documents.filter((_, index) => expected[index] === 'inserted');
    expect(await takeEvents()).toEqual(eventsOf(inserted));
    expect(await storedNotes()).toHaveLength(49);
  });

  it('throws UNAVAILABLE without a connection', async () => {
    const proxy = await startTcpProxy(database.client.options.hosts[0]?.toString() ?? '');
    const client = new MongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 300,
    });
    const same = client.db(database.db.databaseName).collection<Note>(notes.collectionName);
    await insertWithEvents(same, [note('before')]);
    await proxy.close();
    const error: unknown = await insertWithEvents(same, many(50)).catch((thrown: unknown) => thrown);
    await client.close();
    expect(fromMongoError(error)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await notes.countDocuments()).toBe(1);
  });

  it('waits for another transaction that stores one of the documents', async () => {
    let inserting: ReturnType<typeof insertWithEvents> | undefined;
    await inTransaction(database.client, async (session) => {
      await notes.insertOne({ ...note('n7'), outbox: [] }, { session });
      const conflict = once(database.client, 'commandFailed');
      inserting = insertWithEvents(notes, many(50));
      expect(await conflict).toMatchObject([{ commandName: 'insert', failure: { codeName: 'WriteConflict' } }]);
    });
    const outcomes = await inserting;
    expect(outcomes?.filter(({ kind }) => kind === 'duplicate')).toHaveLength(1);
    expect(outcomes?.[7]).toEqual({ kind: 'duplicate' });
    expect(await takeEvents()).toEqual(eventsOf(many(50).filter(({ _id }) => _id !== 'n7')));
  });

  it('stores each document and event once in two concurrent calls', async () => {
    const both = await Promise.all([insertWithEvents(notes, many(50)), insertWithEvents(notes, many(50))]);
    const kinds = both.flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'inserted')).toHaveLength(50);
    expect(kinds.filter((kind) => kind === 'duplicate')).toHaveLength(50);
    expect(await takeEvents()).toEqual(eventsOf(many(50)));
  });
});
