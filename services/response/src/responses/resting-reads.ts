import { LRUCache } from 'lru-cache';
import type { ResponsesOf, WriteWindows } from './write-window-store.ts';

/** Something that is read of the responses to a survey: kept for as long as nobody writes any, and read anew otherwise. */
export type RestingReads<V> = (survey: ResponsesOf, what: string, read: () => Promise<V>) => Promise<V>;

interface Options<V> {
  readonly windows: Pick<WriteWindows, 'lastOf' | 'restingOf'>;
  /** How much is kept, in the unit of `sizeOf`. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
}

interface Kept<V> {
  readonly value: V;
  /** The window that was the last one before it was read. */
  readonly window: number;
}

/** Bounds what a write does that arrives long after its process has died. */
const KEPT_MS = 24 * 60 * 60_000;

export function createRestingReads<V>({ windows, maxSize, sizeOf }: Options<V>): RestingReads<V> {
  const kept = new LRUCache<string, Kept<V>>({
    maxSize,
    sizeCalculation: ({ value }) => sizeOf(value),
    ttl: KEPT_MS,
  });

  return async (survey, what, read) => {
    const key = JSON.stringify([survey.tenantId, survey.surveyId, what]);
    const known = kept.get(key);
    if (known !== undefined && known.window === (await windows.lastOf(survey))) return known.value;
    const window = await windows.restingOf(survey);
    const value = await read();
    // Another window may have been opened meanwhile: then it is not looked at again.
    if (window !== undefined) kept.set(key, { value, window });
    return value;
  };
}
