import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight, maxEntries } from '@survey/runtime/flow/memoize';
import { LRUCache } from 'lru-cache';

/** The permissions of a caller. */
export interface Grant {
  readonly permissions: ReadonlySet<string>;
  /** Changes whenever the permissions change. */
  readonly version: string;
}

export type PermissionCache<Key, G extends Grant> = ReturnType<typeof createPermissionCache<Key, G>>;

interface Options<Key, G extends Grant> {
  /** Loads a grant; undefined for an unknown caller. */
  readonly load: (key: Key) => Promise<G | undefined>;
  readonly cacheKeyOf: (key: Key) => string;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
}

/** Time after which a cached grant is loaded again. */
const FRESH_MS = 3_000;
/** Time for which the last grant stays valid while loads fail. */
const LAST_KNOWN_MS = 600_000;
/** Pause of loads after a failed load. During the pause, callers get the last grant or an error. */
const PAUSE_MS = 1_000;
const MAX_KNOWN = 50_000;
/** Unknown callers have a cache of their own, so that guessed keys evict no valid caller. */
const MAX_UNKNOWN = 10_000;

/** Caches grants. Concurrent requests for a grant share one load. The last grant stays valid while loads fail. */
export function createPermissionCache<Key, G extends Grant>(options: Options<Key, G>) {
  const { load, cacheKeyOf, now } = options;
  type Entry = { readonly grant: G | undefined; readonly loadedAt: number };
  const known = new LRUCache<string, Entry>(maxEntries(MAX_KNOWN));
  const unknown = new LRUCache<string, Entry>(maxEntries(MAX_UNKNOWN));
  const pausedUntil = { known: 0, withoutGrant: 0 };

  const refresh = createSingleFlight(async (id, key: Key): Promise<Entry> => {
    try {
      const entry = { grant: await load(key), loadedAt: now() };
      const [cache, otherCache] = entry.grant === undefined ? [unknown, known] : [known, unknown];
      cache.set(id, entry);
      otherCache.delete(id);
      return entry;
    } catch (error) {
      pausedUntil.withoutGrant = now() + PAUSE_MS;
      // Only a failed load of a known caller pauses the loads of known callers. Otherwise, requests with guessed keys
      // could keep a withdrawn grant valid.
      if (known.has(id)) pausedUntil.known = pausedUntil.withoutGrant;
      throw error;
    }
  });

  return {
    /** The last loaded grant, at any age. Loads nothing. */
    findCached: (key: Key) => known.get(cacheKeyOf(key))?.grant,

    /** Undefined for an unknown caller. Rejects if nothing is cached, and the load fails or loads are paused. */
    async get(key: Key): Promise<G | undefined> {
      const id = cacheKeyOf(key);
      const last = known.get(id) ?? unknown.get(id);
      const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.loadedAt;
      if (last === undefined || age >= LAST_KNOWN_MS) {
        if (now() < pausedUntil.withoutGrant) throw new AppError('UNAVAILABLE', { retryAfterSeconds: PAUSE_MS / 1000 });
        return (await refresh(id, key)).grant;
      }
      if (age < FRESH_MS || now() < pausedUntil[last.grant === undefined ? 'withoutGrant' : 'known']) return last.grant;
      return (await refresh(id, key).catch(() => last)).grant;
    },
  };
}
