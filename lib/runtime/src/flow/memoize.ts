import { LRUCache } from 'lru-cache';
import { maxEntries } from './max-entries.ts';

interface Options {
  /** Time to live of a result after its load. Milliseconds. */
  readonly ttlMs: number;
  /** Keys in memory; the least recently used one is dropped first. 1 is enough for calls without a key. */
  readonly maxKeys?: number;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
}

/**
 * Caches the result of `load` per key for `ttlMs`; concurrent calls share one load. If it fails, all waiting callers
 * get the error, and the next call loads again.
 */
export function memoize<T>(load: (key: string) => Promise<T>, options: Options): (key?: string) => Promise<T> {
  const { ttlMs, maxKeys = 1, now = () => performance.now() } = options;
  // The value is in an object, because lru-cache does not keep `undefined`.
  const cache = new LRUCache<string, { readonly value: T }>({
    ...maxEntries(maxKeys),
    ttl: ttlMs,
    ttlResolution: 0,
    // lru-cache takes 0 as the time of a load to mean that the result never expires.
    perf: { now: () => now() + 1 },
    // If a key is evicted while it loads, the waiting callers still get the result.
    ignoreFetchAbort: true,
    fetchMethod: async (key) => ({ value: await load(key) }),
  });
  return async (key = '') => (await cache.forceFetch(key)).value;
}
