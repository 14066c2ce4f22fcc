import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createSliceStore, type SliceDocument, sliceIndexes } from './slice-store.ts';

/** Stores counts for summaries. Features that change responses remove the counts that include them. */
export function createSliceModule({ collection, log }: ServiceRuntime, envelope: Envelope) {
  return {
    indexes: { count_slices: sliceIndexes },
    api: createSliceStore({ collection: collection<SliceDocument>('count_slices'), envelope, log }),
  };
}
