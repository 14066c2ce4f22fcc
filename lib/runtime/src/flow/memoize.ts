import { LRUCache } from 'lru-cache';

/** The option of an `LRUCache` that limits its entries. The option `max` would allocate all entries at once. */
export function maxEntries(count: number) {
  return { maxSize: count, sizeCalculation: () => 1 };
}

/**
 * Concurrent calls with the same key share one run of a load, and its result or error. The run uses the context of the
 * call that starts it. Results are not kept: for that, use `memoize`.
 */
interface SingleFlight<T, Context extends readonly unknown[]> {
  (key?: string, ...context: Context): Promise<T>;
  isRunning(key?: string): boolean;
}

export function createSingleFlight<T, Context extends readonly unknown[] = []>(
  load: (key: string, ...context: Context) => Promise<T>,
): SingleFlight<T, Context> {
  const running = new Map<string, Promise<T>>();

  function run(key = '', ...context: Context): Promise<T> {
    const known = running.get(key);
    if (known !== undefined) return known;
    const flight = load(key, ...context).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  }

  return Object.assign(run, { isRunning: (key = '') => running.has(key) });
}

interface Options {
  /** Time to live of a result after its load. Milliseconds. */
  readonly ttlMs: number;
  /** Keys in memory; the least recently used one is dropped first. 1 is enough for calls without a key. */
  readonly maxKeys?: number;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
}

/**
 * Caches the result of `load` per key for `ttlMs`; concurrent calls share one load. If a load fails, all waiting
 * callers get the error, and the next call loads again.
 *
 * @param load gets the additional arguments of the call that starts it
 */
export function memoize<T, Context extends readonly unknown[] = []>(
  load: (key: string, ...context: Context) => Promise<T>,
  options: Options,
): (key?: string, ...context: Context) => Promise<T> {
  const { ttlMs, maxKeys = 1, now = () => performance.now() } = options;
  // The value is in an object, because lru-cache does not keep `undefined`.
  const cache = new LRUCache<string, { readonly value: T }, { readonly args: Context }>({
    ...maxEntries(maxKeys),
    ttl: ttlMs,
    ttlResolution: 0,
    // In lru-cache, a result that was loaded at time 0 never expires.
    perf: { now: () => now() + 1 },
    // If a key is evicted while it loads, the waiting callers still get the result.
    ignoreFetchAbort: true,
    fetchMethod: async (key, _stale, { context }) => ({ value: await load(key, ...context.args) }),
  });
  return async (key = '', ...args) => (await cache.forceFetch(key, { context: { args } })).value;
}
