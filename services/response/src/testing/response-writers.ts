import { randomUUID } from 'node:crypto';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import type { Db } from 'mongodb';
import { Registry } from 'prom-client';
import { createProgressStore, progressIndex } from '../progress/progress-store.ts';
import { createDeletedResponseStore, createWriteFence } from '../responses/deleted-response-store.ts';
import { createCommitMetrics, createGroupCommit } from '../responses/group-commit.ts';
import type { SealedResponse } from '../responses/response.ts';
import {
  newVoid,
  type ReplacedState,
  type ResponseDocument,
  responseIndexes,
} from '../responses/response-document-store.ts';
import { deletedEvents, statusEvents } from '../responses/response-events.ts';
import { createResponseStore } from '../responses/response-store.ts';
import { createSampleStore } from '../responses/sample-store.ts';
import { createLedgerStore, type LedgerDocument } from '../seats/ledger-store.ts';
import { newPendingResponse } from './new-response.ts';
import { createTestSlices, createTestWindows, testStopwatch } from './test-stores.ts';

/** Creates the indexes that the writes need. */
export const prepareWrites = (db: Db) =>
  ensureIndexes(db, { responses: [...responseIndexes, progressIndex, outboxIndex] });

/** Starts the stores of a process that write responses, with write windows of their own. */
export function startWriters(db: Db, slices = createTestSlices(db)) {
  const collection = db.collection<ResponseDocument>('responses');
  const windows = createTestWindows(db);
  const onEvent = () => {};
  const random = Math.random;
  const samples = createSampleStore({ collection, random });
  const groupCommit = createGroupCommit<ResponseDocument>({
    insert: (documents) => insertBatch(collection, documents),
    sizeOf: () => 1_000,
    metrics: createCommitMetrics(new Registry()),
  });
  return {
    collection,
    store: createResponseStore({ collection, groupCommit, windows, slices, samples, random, onEvent }),
    deleted: createDeletedResponseStore({ collection, windows, slices, onEvent }),
    progressStore: createProgressStore({ collection, windows, onEvent }),
    fence: createWriteFence({ collection, windows, clock: () => new Date() }),
    ledgers: createLedgerStore({
      ledgers: db.collection<LedgerDocument>('ledgers'),
      responses: collection,
      windows,
      onEvent,
      random,
      clock: () => new Date(),
      startStopwatch: testStopwatch,
    }),
  };
}

type Writers = ReturnType<typeof startWriters>;

const put = (store: Writers['store'], response: SealedResponse, replaced?: ReplacedState) =>
  store.put({ response, replaced, events: [], recheck: () => undefined });

const eventsOf = (done: SealedResponse) =>
  deletedEvents({ tenantId: done.tenantId, actor: 'u', requestId: '', traceparent: '' }, done, new Date());

export const inProgress = { status: 'in_progress', completedAt: undefined } as const;

/** All kinds of writes. `done` is a completed response, `begun` is in progress. */
export const writers: Readonly<
  Record<string, (process: Writers, done: SealedResponse, begun: SealedResponse) => unknown>
> = {
  'a submission': ({ store }, done) => put(store, { ...done, id: randomUUID() }),
  'a submission that a fence prevented before': async ({ store, collection }, done) => {
    const id = randomUUID();
    await collection.insertOne(newVoid(id, new Date()));
    return put(store, { ...done, id }, { status: 'void', revision: 0 });
  },
  'an import': ({ store }, done) => store.insertAll([{ response: { ...done, id: randomUUID() }, events: [] }]),
  'an import with many events': ({ store }, done) =>
    store.insertAll(
      Array.from({ length: 25 }, () => {
        const response = { ...done, id: randomUUID() };
        return { response, events: statusEvents(response, '') };
      }),
    ),
  'an import of a deleted response': async ({ store, deleted }, done) => {
    await deleted.remove(done, eventsOf(done));
    return store.insertAll([
      {
        response: { ...done, status: 'disqualified', revision: 3 },
        events: [],
        replaced: { status: 'deleted', revision: 2 },
      },
    ]);
  },
  'a correction': ({ store }, done) => store.replace(done, { ...done, status: 'disqualified', revision: 2 }, []),
  'a saved response in progress': ({ store }, _, begun) => store.replace(begun, { ...begun, revision: 2 }, []),
  'a deletion': ({ deleted }, done) => deleted.remove(done, eventsOf(done)),
  'a deletion of a response with a key': async ({ deleted, collection }, done) => {
    await collection.updateOne({ _id: done.id }, { $set: { request_hash: { kv: 1, mac: done.data.tag } } });
    const requestHash = { kv: 1, mac: done.data.tag };
    return deleted.remove({ ...done, requestHash }, eventsOf(done));
  },
  'a deletion of several responses': ({ deleted }, done) =>
    deleted.removeUnchanged(done, [{ response: done, events: eventsOf(done) }]),
  'a purge': ({ deleted }, done) => deleted.purgeUnchanged(done, [{ response: done, events: eventsOf(done) }]),
  'a submission with a limit': ({ ledgers }, done) =>
    ledgers.admit(done, [newPendingResponse({ ...done, id: randomUUID() }, [{ linkId: undefined, max: 9 }])]),
  'a completion with a limit': ({ ledgers }, _, begun) =>
    ledgers.admit(begun, [
      newPendingResponse({ ...begun, status: 'completed', revision: 2 }, [{ linkId: undefined, max: 9 }]),
    ]),
  'a fence against a stalled completion': ({ ledgers, collection }, done) =>
    settleStalled(ledgers, collection.db, done),
  'a fence against a stalled correction': ({ fence }, done) => fence.blockChange(done),
  'abandoning inactive responses': ({ progressStore }) =>
    progressStore.abandonBatch(new Date('2024-05-02'), new Date()),
};

/** Settles the entry of a process that stalled before it changed a response. */
async function settleStalled(
  ledgers: Writers['ledgers'],
  db: Db,
  { id, tenantId, surveyId, revision }: SealedResponse,
) {
  const entry = { id: randomUUID(), at: new Date(0), seats: 1 as const, changes: [{ id, revision }] };
  await db.collection<LedgerDocument>('ledgers').insertOne({
    _id: surveyId,
    tenant_id: tenantId,
    survey_id: surveyId,
    link_id: null,
    used: 0,
    entries: [entry],
    recount_at: null,
    counting: null,
  });
  while (await ledgers.settleBatch(new Date()));
}
