import { randomUUID } from 'node:crypto';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerStore, type LedgerDocument } from '../limits/ledger-store.ts';
import { createProgressStore, progressIndex } from '../progress/progress-store.ts';
import { newDefinition } from '../testing/new-definition.ts';
import { newPendingResponse, newSealed } from '../testing/pending-responses.ts';
import { createTestWindows, endWindows } from '../testing/test-windows.ts';
import { createCachedAggregates } from './cached-aggregates.ts';
import { createCommitMetrics } from './commit-metrics.ts';
import { createDeletedResponseStore } from './deleted-response-store.ts';
import { createGroupCommit } from './group-commit.ts';
import type { SealedResponse } from './response.ts';
import { deletedEvents } from './response-events.ts';
import { createResponseStore, type ResponseDocument, responseIndexes } from './response-store.ts';
import { createSampleStore } from './sample-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await ensureIndexes(database.db, { responses: [...responseIndexes, progressIndex, outboxIndex] });
});
afterAll(() => database.drop());

/** The stores of a process that write responses, with their own write windows. */
function startProcess() {
  const windows = createTestWindows(database.db);
  const onEvent = () => {};
  const random = Math.random;
  const samples = createSampleStore({ collection, random });
  const groupCommit = createGroupCommit<ResponseDocument>({
    insert: (documents) => insertBatch(collection, documents),
    sizeOf: () => 1_000,
    metrics: createCommitMetrics(new Registry()),
  });
  return {
    store: createResponseStore({ collection, groupCommit, windows, samples, random, onEvent }),
    deleted: createDeletedResponseStore({ collection, windows, onEvent }),
    progressStore: createProgressStore({ collection, windows }),
    ledgers: createLedgerStore({
      ledgers: database.db.collection<LedgerDocument>('ledgers'),
      responses: collection,
      windows,
      onEvent,
      random,
      clock: () => new Date(),
    }),
  };
}

type Process = ReturnType<typeof startProcess>;

const actor = { tenantId: newDefinition([]).tenantId, actor: 'u', requestId: '', traceparent: '' };
const inProgress = { status: 'in_progress', completedAt: undefined } as const;

/** All writes of responses, given a completed one and one in progress. */
const writers: Readonly<Record<string, (process: Process, is: SealedResponse, begun: SealedResponse) => unknown>> = {
  'a submission': ({ store }, is) => store.insert({ ...is, id: randomUUID() }, []),
  'an import': ({ store }, is) => store.insertAll([{ response: { ...is, id: randomUUID() }, events: [] }]),
  'a correction': ({ store }, is) => store.replace(is, { ...is, status: 'disqualified', revision: 2 }, []),
  'a saved response in progress': ({ store }, _, begun) => store.replace(begun, { ...begun, revision: 2 }, []),
  'a deletion': ({ deleted }, is) => deleted.remove(is, deletedEvents(actor, is, new Date())),
  'a deletion of a response with a key': async ({ deleted }, is) => {
    await collection.updateOne({ _id: is.id }, { $set: { request_hash: { kv: 1, mac: is.data.tag } } });
    const requestHash = { kv: 1, mac: is.data.tag };
    return deleted.remove({ ...is, requestHash }, deletedEvents(actor, is, new Date()));
  },
  'a deletion of several responses': ({ deleted }, is) =>
    deleted.removeAll(is, [{ response: is, events: deletedEvents(actor, is, new Date()) }]),
  'a purge': ({ deleted }, is) =>
    deleted.purgeAll(is, [{ response: is, events: deletedEvents(actor, is, new Date()) }]),
  'a submission with a limit': ({ ledgers }, is) =>
    ledgers.admit(is, [newPendingResponse({ ...is, id: randomUUID() }, [{ linkId: undefined, max: 9 }])]),
  'a completion with a limit': ({ ledgers }, _, begun) =>
    ledgers.admit(begun, [
      newPendingResponse({ ...begun, status: 'completed', revision: 2 }, [{ linkId: undefined, max: 9 }]),
    ]),
  'abandoning inactive responses': ({ progressStore }) =>
    progressStore.abandonBatch(new Date('2024-05-02'), new Date()),
};

describe('an aggregate of the responses to a survey', () => {
  it.each(Object.entries(writers))('is cached until a write, and computed again after %s', async (_, write) => {
    const { tenantId, surveyId } = newDefinition([]);
    const survey = { tenantId, surveyId };
    const [is, begun] = [newSealed(survey), newSealed(survey, inProgress)];
    await startProcess().store.insertAll([is, begun].map((response) => ({ response, events: [] })));
    await endWindows(database.db);

    const reads = createCachedAggregates<unknown>({
      windows: createTestWindows(database.db),
      maxSize: 10,
      sizeOf: () => 1,
    });
    let times = 0;
    const read = () =>
      reads(survey, 'all', async () => {
        times += 1;
        const sort = { sort: { _id: 1 }, projection: { status: 1, revision: 1 } } as const;
        return collection.find({ survey_id: surveyId }, sort).toArray();
      });
    const before = await read();
    expect(await read()).toEqual(before);
    expect(times).toBe(1);

    await write(startProcess(), is, begun);
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
    const reads = createCachedAggregates<string>({ windows, maxSize: 10, sizeOf: () => 1 });
    const early = await reads(survey, 'all', () => windows.runInWindow([survey], async () => 'in between'));
    expect([early, await reads(survey, 'all', async () => 'later')]).toEqual(['in between', 'later']);
  });

  it('is cached by survey and name', async () => {
    const [one, other] = [newSealed(newDefinition([])), newSealed(newDefinition([]))];
    const reads = createCachedAggregates<number>({
      windows: createTestWindows(database.db),
      maxSize: 10,
      sizeOf: () => 1,
    });
    const asked = [
      await reads(one, 'a', async () => 1),
      await reads(one, 'b', async () => 2),
      await reads(other, 'a', async () => 3),
      await reads(one, 'a', async () => 4),
    ];
    expect(asked).toEqual([1, 2, 3, 1]);
  });
});
