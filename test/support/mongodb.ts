import { type Db, MongoClient } from 'mongodb';
import { inject } from 'vitest';
import { diskFull, failWrites, stepDownPrimary, switchOff, switchOn, type WriteFault } from './fail-points.ts';
import type {} from './stack.ts';

/** Where the response service has its documents: also the name by which MongoDB knows its connections. */
const DATABASE = 'survey-response';
/** Code of MongoDB when a majority did not tell in time that it has a write. */
const WRITE_CONCERN_TIMEOUT = 64;

const HALF = { activationProbability: 0.5 };

export const writeFaults = {
  diskFull: diskFull(DATABASE),
  /** Of those that come in one write some are stored and some are not. */
  someRefused: { failPoint: 'failCollectionInserts', mode: HALF, data: { collectionNS: `${DATABASE}.responses` } },
  /** It is done, and nobody can tell for how long. */
  unconfirmed: failWrites(DATABASE, HALF, {
    writeConcernError: { code: WRITE_CONCERN_TIMEOUT, errmsg: 'waiting timed out' },
  }),
  disconnected: failWrites(DATABASE, HALF, { closeConnection: true }),
} as const satisfies Record<string, WriteFault>;

/** Has a fault while `work` does. */
export async function whileWritesFail(fault: WriteFault, work: () => Promise<void>): Promise<void> {
  await withDatabase('admin', async (admin) => {
    await switchOn(admin, fault);
    try {
      await work();
    } finally {
      await switchOff(admin, fault);
    }
  });
}

/** Has the primary step down for some seconds; there is no other. */
export const stepDown = (seconds: number): Promise<void> =>
  withDatabase('admin', async (admin) => void (await stepDownPrimary(admin, seconds)));

/** How many responses to these surveys have events that are not out yet. */
export function countPending(surveyIds: readonly string[]): Promise<number> {
  const pending = { survey_id: { $in: surveyIds }, 'outbox.at': { $exists: true } };
  return withDatabase(DATABASE, (db) => db.collection('responses').countDocuments(pending));
}

/** How often the turn at bringing the events of responses to Kafka has gone from one replica to another. */
export async function countRelays(): Promise<number> {
  const lease = await withDatabase(DATABASE, (db) =>
    db.collection<{ _id: string; token: number }>('leases').findOne({ _id: 'outbox responses' }),
  );
  return lease?.token ?? 0;
}

/** Works with a database of the stack. */
export async function withDatabase<T>(name: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(inject('stack').mongodb_uri, { serverSelectionTimeoutMS: 30_000 });
  try {
    return await work(client.db(name));
  } finally {
    await client.close();
  }
}
