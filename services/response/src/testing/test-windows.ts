import type { Db } from 'mongodb';
import { createWriteWindows, type WriteWindowDocument } from '../responses/write-window-store.ts';

/** Windows as a process has them that has just begun. */
export function createTestWindows(db: Db) {
  const collection = db.collection<WriteWindowDocument>('write_windows');
  return createWriteWindows({ collection, now: () => performance.now(), clock: () => new Date() });
}

/** Makes every window that was opened in a database be over. */
export async function endWindows(db: Db): Promise<void> {
  const until = { $subtract: ['$until', 60 * 60_000] };
  await db.collection<WriteWindowDocument>('write_windows').updateMany({}, [{ $set: { until } }]);
}
