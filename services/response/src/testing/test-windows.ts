import type { Db } from 'mongodb';
import { createWriteWindows, type WriteWindowDocument } from '../responses/write-window-store.ts';
import { createStopwatch } from '../stopwatch.ts';

const clocks = { now: () => performance.now(), clock: () => new Date() };

export const testStopwatch = createStopwatch(clocks);

/** The write windows of a new process. */
export function createTestWindows(db: Db) {
  const collection = db.collection<WriteWindowDocument>('write_windows');
  return createWriteWindows({ collection, ...clocks });
}

export async function endWindows(db: Db): Promise<void> {
  const until = { $subtract: ['$until', 60 * 60_000] };
  await db.collection<WriteWindowDocument>('write_windows').updateMany({}, [{ $set: { until } }]);
}
