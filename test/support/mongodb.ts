import { type Db, type Document, MongoClient } from 'mongodb';
import { inject } from 'vitest';
import type {} from './stack.ts';

/** Where the response service has its documents: also the name by which MongoDB knows its connections. */
const DATABASE = 'survey-response';
const WRITES = ['insert', 'update', 'findAndModify', 'delete'];
/** Code of MongoDB when there is no room left. */
const OUT_OF_DISK_SPACE = 14_031;
/** Code of MongoDB when a majority did not tell in time that it has a write. */
const WRITE_CONCERN_TIMEOUT = 64;

/** How MongoDB fails the writes of the response service. */
export interface WriteFault {
  readonly failPoint: 'failCommand' | 'failCollectionInserts';
  readonly mode: 'alwaysOn' | { readonly activationProbability: number };
  readonly data: Document;
}

const failCommand = (mode: WriteFault['mode'], data: Document): WriteFault => ({
  failPoint: 'failCommand',
  mode,
  data: { appName: DATABASE, failCommands: WRITES, ...data },
});
const HALF = { activationProbability: 0.5 };

export const writeFaults = {
  diskFull: failCommand('alwaysOn', { errorCode: OUT_OF_DISK_SPACE }),
  /** Of those that come in one write some are stored and some are not. */
  someRefused: { failPoint: 'failCollectionInserts', mode: HALF, data: { collectionNS: `${DATABASE}.responses` } },
  /** It is done, and nobody can tell for how long. */
  unconfirmed: failCommand(HALF, { writeConcernError: { code: WRITE_CONCERN_TIMEOUT, errmsg: 'waiting timed out' } }),
  disconnected: failCommand(HALF, { closeConnection: true }),
} as const satisfies Record<string, WriteFault>;

/** Has a fault while `work` does. */
export async function whileWritesFail({ failPoint, mode, data }: WriteFault, work: () => Promise<void>): Promise<void> {
  await withDatabase('admin', async (admin) => {
    await admin.command({ configureFailPoint: failPoint, mode, data });
    try {
      await work();
    } finally {
      await admin.command({ configureFailPoint: failPoint, mode: 'off' });
    }
  });
}

/** Has the primary step down for some seconds; there is no other. */
export async function stepDown(seconds: number): Promise<void> {
  await withDatabase('admin', async (admin) => {
    await admin.command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true });
  });
}

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
