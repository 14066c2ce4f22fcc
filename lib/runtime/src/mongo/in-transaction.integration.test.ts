import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { inTransaction } from './in-transaction.ts';

interface Counted {
  readonly _id: string;
  readonly count: number;
}

let database: TestDatabase;
const counted = () => database.db.collection<Counted>('counted');

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.createCollection('counted');
});
afterAll(() => database.drop());

async function stored(): Promise<string> {
  const _id = randomUUID();
  await counted().insertOne({ _id, count: 0 });
  return _id;
}

const addOne = (_id: string) =>
  inTransaction(database.client, async (session) => {
    const { count } = (await counted().findOne({ _id }, { session })) ?? { count: 0 };
    await counted().updateOne({ _id }, { $set: { count: count + 1 } }, { session });
    return count + 1;
  });

describe('writes in a transaction', () => {
  it('are repeated with fresh reads after a conflict with another transaction', async () => {
    const _id = await stored();
    const counts = await Promise.all(Array.from({ length: 10 }, () => addOne(_id)));
    expect(counts.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('are all rolled back if one fails', async () => {
    const _id = await stored();
    const failed = inTransaction(database.client, async (session) => {
      await counted().updateOne({ _id }, { $set: { count: 5 } }, { session });
      throw new Error('later');
    });
    await expect(failed).rejects.toThrow('later');
    expect(await counted().findOne({ _id })).toEqual({ _id, count: 0 });
  });

  it('give up after some seconds of conflicts, much earlier than the driver', async () => {
    const _id = await stored();
    await inTransaction(database.client, async (session) => {
      await counted().updateOne({ _id }, { $set: { count: 7 } }, { session });
      await expect(addOne(_id)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
    });
    expect(await addOne(_id)).toBe(8);
  });
});
