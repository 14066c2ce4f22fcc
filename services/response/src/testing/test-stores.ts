import { randomBytes } from 'node:crypto';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { parseKeyring } from '@survey/runtime/crypto/keyring';
import { testLog } from '@survey/runtime/testing/test-log';
import type { Collection, Db } from 'mongodb';
import type { Logger } from 'pino';
import { createSliceStore, type SliceDocument } from '../responses/slice-store.ts';
import { createWriteWindows, type WriteWindowDocument } from '../responses/write-window-store.ts';
import { createStopwatch } from '../stopwatch.ts';

const keyring = parseKeyring(JSON.stringify({ active: 'k', keys: { k: randomBytes(32).toString('base64') } }));

/** The encryption of a new process. All processes of a test file have the same keyring. */
export function createTestEnvelope(db: Db) {
  return createEnvelope({
    collection: db.collection<DataKeyDocument>('data_keys'),
    keyring: async () => keyring,
    clock: () => new Date(),
  });
}

interface SliceOptions {
  readonly collection?: Collection<SliceDocument>;
  readonly log?: Logger;
}

/** The stored time slices, as a new process sees them. */
export function createTestSlices(
  db: Db,
  { collection = db.collection<SliceDocument>('count_slices'), log = testLog }: SliceOptions = {},
) {
  return createSliceStore({ collection, envelope: createTestEnvelope(db), log });
}

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
