import { poll } from '@survey/runtime/testing/poll';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { diskFull as diskFullOf, stepDownPrimary, switchOff, switchOn } from '../../support/fail-points.ts';
import type { Strike } from './strike.ts';

const POLL_OPTIONS = { timeoutMs: 60_000, everyMs: 200 };

/** Has MongoDB refuse the writes of one service, as a full disk does. */
export const diskFull: Strike = async ({ mongodbUri }, { target }, wait) => {
  await withAdmin(mongodbUri, async (admin) => {
    const fault = diskFullOf(target);
    await poll(() => switchOn(admin, fault), POLL_OPTIONS);
    try {
      await wait();
    } finally {
      await poll(() => switchOff(admin, fault), POLL_OPTIONS);
    }
  });
};

/** Has the primary step down for the time of the fault. There is no other, so it is elected again. */
export const stepDown: Strike = async ({ mongodbUri }, { seconds }, wait) => {
  await withAdmin(mongodbUri, async (admin) => {
    await poll(async () => {
      try {
        await stepDownPrimary(admin, Math.max(1, Math.ceil(seconds)));
      } catch (error) {
        // It is no primary now: it has stepped down, perhaps by this.
        if (!(error instanceof MongoServerError)) throw error;
      }
      return true;
    }, POLL_OPTIONS);
    await wait();
  });
};

async function withAdmin(uri: string, work: (admin: Db) => Promise<void>): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
