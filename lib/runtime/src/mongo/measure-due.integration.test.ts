import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { measureDue } from './measure-due.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the backlog of a collection', () => {
  it('is empty for an empty collection', async () => {
    const collection = database.db.collection<{ due_at?: Date }>('none');
    await collection.insertMany([{}, { due_at: new Date(10_001) }]);
    expect(await measureDue(collection, new Date(10_000))).toEqual({ count: 0, oldestSeconds: 0 });
  });

  it('has the number of due documents, and the age of the oldest', async () => {
    const collection = database.db.collection<{ due_at?: Date }>('some');
    await collection.insertMany([{ due_at: new Date(10_000) }, { due_at: new Date(7_500) }, { due_at: new Date(1e6) }]);
    expect(await measureDue(collection, new Date(10_000))).toEqual({ count: 2, oldestSeconds: 2.5 });
  });
});
