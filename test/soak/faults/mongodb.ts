import { poll } from '@survey/runtime/testing/poll';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import {
  disableFault,
  diskFull as diskFullOf,
  enableFault,
  stepDownPrimary,
} from '../../support/faults/fail-points.ts';
import type { Strike } from './strike.ts';

const POLL_OPTIONS = { timeoutMs: 60_000 };

/** Makes MongoDB reject the writes of one service, like a full disk. */
export const diskFull: Strike = async ({ mongodbUri }, { target }, wait) => {
  await withAdmin(mongodbUri, async (admin) => {
    const fault = diskFullOf(target);
    await poll(() => enableFault(admin, fault), POLL_OPTIONS);
    try {
      await wait();
    } finally {
      await poll(() => disableFault(admin, fault), POLL_OPTIONS);
    }
  });
};

/** Makes the only primary step down during the fault; it is elected again afterwards. */
export const stepDown: Strike = async ({ mongodbUri }, { seconds }, wait) => {
  await withAdmin(mongodbUri, async (admin) => {
    await poll(async () => {
      try {
        await stepDownPrimary(admin, Math.max(1, Math.ceil(seconds)));
      } catch (error) {
        // It is not primary now, perhaps because of this call.
        if (!(error instanceof MongoServerError)) throw error;
      }
      return true;
    }, POLL_OPTIONS);
    await wait();
  });
};

async function withAdmin(uri: string, work: (admin: Db) => Promise<void>): Promise<void> {
  // A client whose first connection failed stays closed, and MongoDB may be down because of another fault.
  const connect = () => new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 }).connect();
  const client = await poll(connect, POLL_OPTIONS);
  try {
    await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
