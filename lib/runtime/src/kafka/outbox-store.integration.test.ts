import { Binary, type Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from './outbox-event.ts';
import { createOutboxStore, type OutboxStore } from './outbox-store.ts';

describe('an outbox store', () => {
  let database: TestDatabase;
  let collection: Collection<OutboxDocument>;
  let store: OutboxStore;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    collection = await database.createCollection([outboxIndex]);
    store = createOutboxStore(collection);
  });
  afterAll(() => database.drop());

  function eventOf(document: string, revision: number): OutboxEvent {
    return {
      id: `${document}-${revision}`,
      topic: 'notes',
      key: document,
      type: 'note.changed',
      source: '/notes',
      at: new Date(1_700_000_000_000 + revision),
      value: new Binary(Buffer.from('x')),
      headers: {},
    };
  }

  const insert = (document: string, ...revisions: number[]) =>
    collection.insertOne({ _id: document, outbox: revisions.map((revision) => eventOf(document, revision)) });

  it('keeps an event that was added while its document was published', async () => {
    await insert('a', 1);
    const page = await store.findPage(10);
    await collection.updateOne({ _id: 'a' }, { $push: { outbox: eventOf('a', 2) } });
    await store.removeEvents(page);
    expect((await collection.findOne({ _id: 'a' }))?.outbox?.map(({ id }) => id)).toEqual(['a-2']);
  });

  it('deletes a tombstone only when all of its events are published', async () => {
    await collection.insertMany([
      { _id: 'gone', tombstone: true, outbox: [eventOf('gone', 1)] },
      { _id: 'kept', tombstone: true, outbox: [eventOf('kept', 1)] },
      { _id: 'alive', outbox: [eventOf('alive', 1)] },
    ]);
    const page = await store.findPage(10);
    await collection.updateOne({ _id: 'kept' }, { $push: { outbox: eventOf('kept', 2) } });
    await store.removeEvents(page);
    expect((await collection.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(['alive', 'kept']);
    await store.removeEvents(await store.findPage(10));
    expect((await collection.find().toArray()).map(({ _id }) => _id)).toEqual(['alive']);
  });

  it('reads only the documents with events, in the order of the index', async () => {
    await collection.insertMany(Array.from({ length: 300 }, (_, index) => ({ _id: `idle${index}`, outbox: [] })));
    await insert('b', 2, 3);
    await insert('a', 1);
    const explained = await collection
      .find({ 'outbox.at': { $exists: true } }, { hint: outboxIndex.name })
      .min({ 'outbox.at': new Date(0) })
      .limit(200)
      .explain('executionStats');
    const plan = JSON.stringify(explained['queryPlanner'].winningPlan);
    expect(plan).toContain('"indexName":"outbox"');
    expect(plan).not.toContain('"SORT"');
    expect(explained['executionStats'].totalDocsExamined).toBeLessThanOrEqual(3);
    expect((await store.findPage(10)).map(({ _id }) => _id)).toEqual(['a', 'b']);
  });

  it('skips documents with only older events, and returns all events of the others', async () => {
    await insert('older', 1, 2);
    await insert('both', 3, 8);
    await insert('newer', 7);
    const page = await store.findPage(10, new Date(1_700_000_000_005));
    expect(page.map(({ _id, outbox }) => [_id, outbox.map(({ id }) => id)])).toEqual([
      ['newer', ['newer-7']],
      ['both', ['both-3', 'both-8']],
    ]);
  });
});
