import type { Db } from 'mongodb';
import { createSliceStore, type SliceDocument } from '../slices/slice-store.ts';
import { createTestEnvelope } from './test-envelope.ts';

/** The stored time slices, as a new process sees them. */
export function createTestSlices(db: Db) {
  const collection = db.collection<SliceDocument>('count_slices');
  return createSliceStore({ collection, envelope: createTestEnvelope(db) });
}
