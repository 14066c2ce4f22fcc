import { type Db, MongoClient } from 'mongodb';
import { inject } from 'vitest';
import type {} from '../stack.ts';
import { disableFault, diskFull, enableFault, stepDownPrimary, type WriteFault, writeFault } from './fail-points.ts';

/** The database of the response service, which is also the name of its connections. */
const DATABASE = 'survey-response';
/** MongoDB's error code when a majority did not confirm a write in time. */
const WRITE_CONCERN_TIMEOUT = 64;

const HALF = { activationProbability: 0.5 };

export const writeFaults = {
  diskFull: diskFull(DATABASE),
  /** Some documents of a batch are stored and others fail. */
  someRejected: { failPoint: 'failCollectionInserts', mode: HALF, data: { collectionNS: `${DATABASE}.responses` } },
  /** New responses have their time, but are not stored. */
  stalled: { failPoint: 'hangDuringBatchInsert', mode: 'alwaysOn', data: { nss: `${DATABASE}.responses` } },
  /** The write is done, but not confirmed in time. */
  unconfirmed: writeFault(DATABASE, HALF, {
    writeConcernError: { code: WRITE_CONCERN_TIMEOUT, errmsg: 'waiting timed out' },
  }),
  disconnected: writeFault(DATABASE, HALF, { closeConnection: true }),
} as const satisfies Record<string, WriteFault>;

/** Enables a fail point while `work` runs. */
export async function whileWritesFail(fault: WriteFault, work: () => Promise<void>): Promise<void> {
  await withDatabase('admin', async (admin) => {
    await enableFault(admin, fault);
    try {
      await work();
    } finally {
      await disableFault(admin, fault);
    }
  });
}

/** Makes the only primary step down for some seconds. */
export const stepDown = (seconds: number): Promise<void> =>
  withDatabase('admin', async (admin) => void (await stepDownPrimary(admin, seconds)));

/** Counts responses with unpublished events. */
export function countPending(surveyIds: readonly string[]): Promise<number> {
  const pending = { survey_id: { $in: surveyIds }, 'outbox.at': { $exists: true } };
  return withDatabase(DATABASE, (db) => db.collection('responses').countDocuments(pending));
}

/** Counts how often the relay of response events has moved to another replica. */
export async function countRelays(): Promise<number> {
  const lease = await withDatabase(DATABASE, (db) =>
    db.collection<{ _id: string; token: number }>('leases').findOne({ _id: 'outbox responses' }),
  );
  return lease?.token ?? 0;
}

/** Runs `work` with a database of the stack. */
export async function withDatabase<T>(name: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(inject('stack').mongodb_uri, { serverSelectionTimeoutMS: 30_000 });
  try {
    return await work(client.db(name));
  } finally {
    await client.close();
  }
}
