import { LRUCache } from 'lru-cache';
import type { SurveyRef, WriteWindows } from './write-window-store.ts';

/** Computes an aggregate of the responses to a survey, or returns the cached one if no response can have changed. */
export type CachedAggregates<V> = (survey: SurveyRef, name: string, compute: Compute<V>) => Promise<V>;

/** @param window the last write window; undefined while it is open. No response changes until a newer window opens */
type Compute<V> = (window: number | undefined) => Promise<V>;

interface Options<V> {
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastReadableWindow'>;
  /** Maximum size of the cache, in the unit of `sizeOf`. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
}

interface Cached<V> {
  readonly value: V;
  /** The last write window at the time of the computation. The value is valid until a newer one opens. */
  readonly window: number;
}

/** Limits the effect of a write that reaches the database long after its process died, and so outside of a window. */
const TTL_MS = 24 * 60 * 60_000;

export function createCachedAggregates<V>({ windows, maxSize, sizeOf }: Options<V>): CachedAggregates<V> {
  const cache = new LRUCache<string, Cached<V>>({
    maxSize,
    sizeCalculation: ({ value }) => sizeOf(value),
    ttl: TTL_MS,
  });

  return async (survey, name, compute) => {
    const key = JSON.stringify([survey.tenantId, survey.surveyId, name]);
    const cached = cache.get(key);
    if (cached !== undefined && cached.window === (await windows.lastWindowOf(survey))) return cached.value;
    const window = await windows.lastReadableWindow(survey);
    const value = await compute(window);
    // If another window opened meanwhile, the next call finds a different window and computes again.
    if (window !== undefined) cache.set(key, { value, window });
    return value;
  };
}
