import { LRUCache } from 'lru-cache';

/** What a caller may do. */
export interface Grant {
  readonly permissions: ReadonlySet<string>;
  /** Changes whenever the permissions do. */
  readonly version: string;
}

export interface PermissionCache<Who, G extends Grant = Grant> {
  /** Undefined when there is nobody like that. Rejects as the load did when nobody can tell and nothing is known. */
  get(who: Who): Promise<G | undefined>;
}

interface Options<Who, G extends Grant> {
  /** Asks for a grant; undefined when there is nobody like that. Rejects when nobody can tell. */
  readonly load: (who: Who) => Promise<G | undefined>;
  /** A word for each that nobody else has. */
  readonly idOf: (who: Who) => string;
  readonly now: () => number;
}

/** How soon a change of permissions is felt. */
const FRESH_MS = 3_000;
/** How long what was known last holds while it cannot be asked for. */
const LAST_KNOWN_MS = 600_000;
/** After a failure, how long those that are known are not asked for, so that they need not wait for the next one. */
const PAUSE_MS = 1_000;
const MAX_KNOWN = 50_000;
/** Apart from the others, so that guessing pushes nobody out who is known. */
const MAX_UNKNOWN = 10_000;

/** Remembers grants for moments, asks once for many, and keeps the last known while they cannot be asked for. */
export function createPermissionCache<Who, G extends Grant>(options: Options<Who, G>): PermissionCache<Who, G> {
  const { load, idOf, now } = options;
  type Entry = { readonly grant: G | undefined; readonly loadedAt: number };
  const known = new LRUCache<string, Entry>({ max: MAX_KNOWN });
  const unknown = new LRUCache<string, Entry>({ max: MAX_UNKNOWN });
  const loading = new Map<string, Promise<Entry>>();
  let pausedUntil = 0;

  async function refresh(id: string, who: Who): Promise<Entry> {
    try {
      const entry = { grant: await load(who), loadedAt: now() };
      const [right, other] = entry.grant === undefined ? [unknown, known] : [known, unknown];
      right.set(id, entry);
      other.delete(id);
      return entry;
    } catch (error) {
      pausedUntil = now() + PAUSE_MS;
      throw error;
    } finally {
      loading.delete(id);
    }
  }

  function refreshOnce(id: string, who: Who): Promise<Entry> {
    const running = loading.get(id) ?? refresh(id, who);
    loading.set(id, running);
    return running;
  }

  return {
    async get(who) {
      const id = idOf(who);
      const last = known.get(id) ?? unknown.get(id);
      const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.loadedAt;
      if (last === undefined || age >= LAST_KNOWN_MS) return (await refreshOnce(id, who)).grant;
      if (age < FRESH_MS || now() < pausedUntil) return last.grant;
      return (await refreshOnce(id, who).catch(() => last)).grant;
    },
  };
}
