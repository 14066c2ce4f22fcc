import { testLog } from '@survey/runtime/testing/test-log';
import type { Collection, Db } from 'mongodb';
import type { Logger } from 'pino';
import { createSliceStore, type SliceDocument } from '../responses/slice-store.ts';
import { createTestEnvelope } from './test-envelope.ts';

interface Options {
  readonly collection?: Collection<SliceDocument>;
  readonly log?: Logger;
}

/** The stored time slices, as a new process sees them. */
export function createTestSlices(
  db: Db,
  { collection = db.collection<SliceDocument>('count_slices'), log = testLog }: Options = {},
) {
  return createSliceStore({ collection, envelope: createTestEnvelope(db), log });
}
