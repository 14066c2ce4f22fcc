import { LRUCache } from 'lru-cache';
import type { Principal } from '../tokens/token-claims.ts';

/** What a principal may do. */
export interface Grant {
  readonly permissions: ReadonlySet<string>;
  /** Changes whenever the permissions do. */
  readonly version: string;
}

/** Asks for the grant of a principal; undefined when there is no such user. Rejects when nobody can tell. */
export type LoadGrant = (principal: Principal) => Promise<Grant | undefined>;

export interface PermissionCache {
  /** Rejects as the load did when nobody can tell and nothing is known. */
  get(principal: Principal): Promise<Grant | undefined>;
}

/** How soon a change of permissions is felt. */
const FRESH_MS = 3_000;
/** How long what was known last holds while it cannot be asked for. */
const LAST_KNOWN_MS = 600_000;
/** After a failure, how long those that are known are not asked for, so that they need not wait for the next one. */
const PAUSE_MS = 1_000;
const MAX_PRINCIPALS = 50_000;

interface Entry {
  readonly grant: Grant | undefined;
  readonly loadedAt: number;
}

/** Remembers grants for moments, asks once for many, and keeps the last known while they cannot be asked for. */
export function createPermissionCache({ load, now }: { load: LoadGrant; now: () => number }): PermissionCache {
  const entries = new LRUCache<string, Entry>({ max: MAX_PRINCIPALS });
  const loading = new Map<string, Promise<Entry>>();
  let pausedUntil = 0;

  async function refresh(id: string, principal: Principal): Promise<Entry> {
    try {
      const entry = { grant: await load(principal), loadedAt: now() };
      entries.set(id, entry);
      return entry;
    } catch (error) {
      pausedUntil = now() + PAUSE_MS;
      throw error;
    } finally {
      loading.delete(id);
    }
  }

  function refreshOnce(id: string, principal: Principal): Promise<Entry> {
    const running = loading.get(id) ?? refresh(id, principal);
    loading.set(id, running);
    return running;
  }

  return {
    async get(principal) {
      const id = JSON.stringify([principal.tenantId, principal.subject]);
      const known = entries.get(id);
      const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.loadedAt;
      if (known === undefined || age >= LAST_KNOWN_MS) return (await refreshOnce(id, principal)).grant;
      if (age < FRESH_MS || now() < pausedUntil) return known.grant;
      return (await refreshOnce(id, principal).catch(() => known)).grant;
    },
  };
}
