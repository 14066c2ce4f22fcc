import { MongoClient, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { fromMongoError, isDuplicateKey } from './mongo-errors.ts';

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('fromMongoError', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('maps a duplicate key to ALREADY_EXISTS, alone and in a batch', async () => {
    const notes = database.db.collection<{ _id: string }>('notes');
    await notes.insertOne({ _id: 'a' });
    for (const insert of [
      () => notes.insertOne({ _id: 'a' }),
      () => notes.insertMany([{ _id: 'a' }, { _id: 'b' }], { ordered: false }),
    ]) {
      const error = await caught(insert());
      expect(isDuplicateKey(error)).toBe(true);
      expect(fromMongoError(error)).toMatchObject({ code: 'ALREADY_EXISTS', cause: error });
    }
  });

  it('finds the field of the unique index', async () => {
    const named = database.db.collection<{ _id: string; name: string }>('named');
    await named.createIndex({ name: 1 }, { unique: true });
    await named.insertOne({ _id: 'a', name: 'x' });
    const [ofName, ofId] = [
      await caught(named.insertOne({ _id: 'b', name: 'x' })),
      await caught(named.insertOne({ _id: 'a', name: 'y' })),
    ];
    const ofUpdate = await caught(named.updateOne({ _id: 'c' }, { $set: { name: 'x' } }, { upsert: true }));
    expect([ofName, ofId, ofUpdate].map((error) => isDuplicateKey(error, 'name'))).toEqual([true, false, true]);
    expect(isDuplicateKey(ofId, '_id')).toBe(true);
  });

  it('maps a query that took too long to DEADLINE_EXCEEDED', async () => {
    const slow = { $where: 'sleep(1000) || true' };
    const error = await caught(database.db.collection('notes').findOne(slow, { maxTimeMS: 20 }));
    expect(fromMongoError(error)).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  it('maps an unreachable server to UNAVAILABLE, with a retry after one second', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 50 });
    const error = await caught(client.db('x').collection('y').findOne());
    await client.close();
    expect(fromMongoError(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('maps an exhausted pool to UNAVAILABLE', async () => {
    const client = new MongoClient(database.client.options.hosts.map((host) => `mongodb://${host}`)[0] ?? '', {
      maxPoolSize: 1,
      // Enough time to open the single connection.
      waitQueueTimeoutMS: 1_000,
    });
    const notes = client.db(database.db.databaseName).collection('notes');
    await notes.findOne();
    const [, error] = await Promise.all([notes.findOne({ $where: 'sleep(3000) || true' }), caught(notes.findOne())]);
    await client.close();
    expect(fromMongoError(error)).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('maps all operations of a closing client to UNAVAILABLE', async () => {
    const client = new MongoClient(database.client.options.hosts.map((host) => `mongodb://${host}`)[0] ?? '', {
      maxPoolSize: 3,
    });
    const notes = client.db(database.db.databaseName).collection('closed');
    const untilItFails = async (work: () => Promise<unknown>): Promise<unknown> => {
      for (;;) {
        const error = await caught(work());
        if (error !== undefined) return error;
      }
    };
    await notes.insertOne({ n: 0 });
    const works = [
      () => notes.find({}, { limit: 20 }).toArray(),
      () => notes.aggregate([{ $limit: 5 }]).toArray(),
      () => notes.insertOne({ n: 1 }),
      () => notes.bulkWrite([{ insertOne: { document: { n: 2 } } }], { ordered: false }),
    ];
    const failing = Promise.all([...works, ...works, ...works].map(untilItFails));
    await notes.findOne();
    await client.close();
    const errors = await failing;
    expect(errors.map((error) => fromMongoError(error)?.code)).toEqual(errors.map(() => 'UNAVAILABLE'));
  });

  it('maps a document that is full of events to UNAVAILABLE, with a later retry', async () => {
    const full = database.db.collection<{ _id: string; outbox: string[] }>('full');
    const _id = 'a';
    await full.insertOne({ _id, outbox: ['x'.repeat(16_000_000)] });
    const outbox = { $concatArrays: ['$outbox', ['x'.repeat(1_000_000)]] };
    for (const update of [{ $push: { outbox: 'x'.repeat(1_000_000) } }, [{ $replaceWith: { _id: '$_id', outbox } }]]) {
      const error = await caught(full.updateOne({ _id }, update));
      expect(fromMongoError(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 10, cause: error });
    }
  });

  it.each([17419, 10107, 13435, 11600, 189, 91, 112, 64, 371, 14_031])('maps code %i to UNAVAILABLE', (code) => {
    expect(fromMongoError(new MongoServerError({ message: 'x', code }))).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each(['EPIPE', 'ECONNRESET'])('maps the socket error %s to UNAVAILABLE', (code) => {
    const error = Object.assign(new Error('This socket has been ended by the other party'), { code });
    expect(fromMongoError(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1, cause: error });
  });

  it('returns undefined for bugs and other errors', async () => {
    const error = await caught(database.db.collection('notes').findOne({ $bad: 1 }));
    expect(fromMongoError(error)).toBeUndefined();
    expect(fromMongoError(new Error('other'))).toBeUndefined();
    expect(fromMongoError('text')).toBeUndefined();
  });
});
