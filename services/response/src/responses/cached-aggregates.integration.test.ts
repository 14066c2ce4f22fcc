import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSealed } from '../testing/new-response.ts';
import { inProgress, prepareWrites, startWriters, writers } from '../testing/response-writers.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createTestWindows, endWindows } from '../testing/test-stores.ts';
import type { ResponseDocument } from './response-document-store.ts';
import { createAggregateCache } from './write-window-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await prepareWrites(database.db);
});
afterAll(() => database.drop());

describe('an aggregate of the responses to a survey', () => {
  it.each(Object.entries(writers))('is cached until a write, and computed again after %s', async (_, write) => {
    const { tenantId, surveyId } = newDefinition([]);
    const survey = { tenantId, surveyId };
    const [is, begun] = [newSealed(survey), newSealed(survey, inProgress)];
    await startWriters(database.db).store.insertAll([is, begun].map((response) => ({ response, events: [] })));
    await endWindows(database.db);

    const reads = createAggregateCache<unknown>({
      windows: createTestWindows(database.db),
      maxSize: 10,
      sizeOf: () => 1,
      now: () => performance.now(),
    });
    let times = 0;
    const read = () =>
      reads.find(survey, 'all', async () => {
        times += 1;
        const sort = { sort: { _id: 1 }, projection: { status: 1, revision: 1 } } as const;
        return { value: await collection.find({ survey_id: surveyId }, sort).toArray() };
      });
    const before = await read();
    expect(await read()).toEqual(before);
    expect(times).toBe(1);

    await write(startWriters(database.db), is, begun);
    const after = await read();
    expect(after).not.toEqual(before);
    // While the window is open, each call computes again.
    await read();
    expect(times).toBe(3);
    await endWindows(database.db);
    expect([await read(), await read()]).toEqual([after, after]);
    expect(times).toBe(4);
  });

  it('is not cached if a write starts while it is computed', async () => {
    const survey = newSealed(newDefinition([]));
    const windows = createTestWindows(database.db);
    const reads = createAggregateCache<string>({ windows, maxSize: 10, sizeOf: () => 1, now: () => performance.now() });
    const early = await reads.find(survey, 'all', () =>
      windows.runInWindow([survey], async () => ({ value: 'in between' })),
    );
    expect([early, await reads.find(survey, 'all', async () => ({ value: 'later' }))]).toEqual(['in between', 'later']);
  });

  it('is cached by survey and name', async () => {
    const [one, other] = [newSealed(newDefinition([])), newSealed(newDefinition([]))];
    const reads = createAggregateCache<number>({
      windows: createTestWindows(database.db),
      maxSize: 10,
      sizeOf: () => 1,
      now: () => performance.now(),
    });
    const asked = [
      await reads.find(one, 'a', async () => ({ value: 1 })),
      await reads.find(one, 'b', async () => ({ value: 2 })),
      await reads.find(other, 'a', async () => ({ value: 3 })),
      await reads.find(one, 'a', async () => ({ value: 4 })),
    ];
    expect(asked).toEqual([1, 2, 3, 1]);
  });
});
