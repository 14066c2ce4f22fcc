import { LRUCache } from 'lru-cache';
import type { Slices } from './stored-counts.ts';

/** Caches slices with their counts, by survey and filter. */
export interface SliceCache {
  readonly slices: LRUCache<string, Slices>;
  /** Size in map entries. */
  readonly max: number;
}

const SLICE_TTL_MS = 24 * 60 * 60_000;

export function createSliceCache(max: number): SliceCache {
  const slices = new LRUCache<string, Slices>({
    maxSize: max,
    sizeCalculation: entriesOf,
    ttl: SLICE_TTL_MS,
  });
  return { slices, max };
}

function entriesOf({ slices }: Slices): number {
  return slices.reduce((sum, { counted }) => sum + 1 + (counted?.counts.size ?? 0), 0);
}
