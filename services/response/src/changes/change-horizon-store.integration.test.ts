import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { type Collection, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import { newResponse } from '../testing/new-response.ts';
import { createStoredResponses } from '../testing/stored-responses.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { type ChangeHorizonDocument, createChangeHorizons } from './change-horizon-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;
let stored: Awaited<ReturnType<typeof createStoredResponses>>;

beforeAll(async () => {
  database = await createTestDatabase();
  stored = await createStoredResponses(database.db);
  collection = stored.collection;
});
afterAll(() => database.drop());

const startHorizons = (maxWaitMs = 100) =>
  createChangeHorizons({
    client: database.client,
    horizons: database.db.collection<ChangeHorizonDocument>('change_horizons'),
    namespace: collection.namespace,
    maxWaitMs,
  });

const stampOf = async (id: string) => (await collection.findOne({ _id: id }))?.changed?.toBigInt() ?? 0n;

async function storeOne(): Promise<ResponseDocument> {
  const response = newResponse(newDefinition([]));
  await stored.store([response]);
  return collection.findOne({ _id: response.id }) as Promise<ResponseDocument>;
}

/** Runs while an insert hangs after it got its stamp. */
async function whileInsertHangs(document: ResponseDocument, run: () => Promise<void>): Promise<void> {
  const admin = database.client.db('admin');
  const name = 'hangDuringBatchInsert';
  const data = { nss: collection.namespace };
  const { count } = await admin.command({ configureFailPoint: name, mode: 'alwaysOn', data });
  const inserted = collection.insertOne(document);
  try {
    await admin.command({ waitForFailPoint: name, timesEntered: count + 1, maxTimeMS: 60_000 });
    await run();
  } finally {
    await admin.command({ configureFailPoint: name, mode: 'off' });
    await inserted;
  }
}

describe('the horizon', () => {
  it('is after every write that has ended, and before every later one', async () => {
    const horizons = startHorizons();
    const before = await storeOne();
    const { at } = await horizons.find();
    const after = await storeOne();
    expect(await stampOf(before._id)).toBeLessThan(at);
    expect(await stampOf(after._id)).toBeGreaterThanOrEqual(at);
    expect((await horizons.find()).at).toBeGreaterThan(await stampOf(after._id));
  });

  it('stays before a write that has its stamp but is not stored yet', async () => {
    const horizons = startHorizons();
    const template = await storeOne();
    const late = { ...template, _id: randomUUID(), changed: new Timestamp(0n) };
    const { at: first } = await horizons.find();
    await whileInsertHangs(late, async () => {
      expect((await horizons.find()).at).toBe(first);
      // A later write is stored first. The horizon waits for both.
      const correction = { $inc: { revision: 1 }, $currentDate: { changed: { $type: 'timestamp' as const } } };
      await collection.updateOne({ _id: template._id }, correction);
      expect((await horizons.find()).at).toBe(first);
      await expect(startHorizons().find()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
    expect(await stampOf(late._id)).toBeLessThan((await horizons.find()).at);
  });

  it('stays before an open transaction', async () => {
    const horizons = startHorizons();
    const { at: first } = await horizons.find();
    const late = { ...(await storeOne()), _id: randomUUID(), changed: new Timestamp(0n) };
    const session = database.client.startSession();
    session.startTransaction();
    await collection.insertOne(late, { session });
    expect((await horizons.find()).at).toBe(first);
    await session.commitTransaction();
    await session.endSession();
    expect(await stampOf(late._id)).toBeLessThan((await horizons.find()).at);
  });

  it('advances while another service has an open transaction', async () => {
    const horizons = startHorizons();
    const { at: first } = await horizons.find();
    const other = await createTestDatabase();
    const records = await other.createCollection([]);
    const session = other.client.startSession();
    session.startTransaction();
    await records.insertOne({}, { session });
    expect((await horizons.find()).at).toBeGreaterThan(first);
    await session.abortTransaction();
    await session.endSession();
    await other.drop();
  });

  it('advances while writes continue', async () => {
    const horizons = startHorizons(60_000);
    let stopped = false;
    const template = await storeOne();
    const write = async () => {
      while (!stopped) await collection.insertOne({ ...template, _id: randomUUID() });
    };
    const writers = Array.from({ length: 8 }, write);
    const found: bigint[] = [];
    while (found.length < 10) found.push((await horizons.find()).at);
    stopped = true;
    await Promise.all(writers);
    expect(found).toEqual([...new Set(found)].sort((one, other) => Number(one - other)));
  });

  it('is found once for concurrent calls', async () => {
    const horizons = startHorizons();
    const found = await Promise.all([horizons.find(), horizons.find(), horizons.find()]);
    expect(new Set(found.map(({ at }) => at)).size).toBe(1);
  });
});
