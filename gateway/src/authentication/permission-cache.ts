import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';

/** What a caller may do. */
export interface Grant {
  readonly permissions: ReadonlySet<string>;
  /** Changes whenever the permissions do. */
  readonly version: string;
}

export interface PermissionCache<Who, G extends Grant = Grant> {
  /**
   * Undefined when there is nobody like that. When nobody can tell and nothing is known, rejects as the load did, and
   * with `UNAVAILABLE` for a moment after that.
   */
  get(who: Who): Promise<G | undefined>;
  /** What there was when it was asked last, however long ago. Asks nobody. */
  recall(who: Who): G | undefined;
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
/** After a failure, how long nobody is asked for, so that nobody waits for the next one. */
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
  const pausedUntil = { known: 0, others: 0 };

  const refresh = createSingleFlight(async (id, who: Who): Promise<Entry> => {
    try {
      const entry = { grant: await load(who), loadedAt: now() };
      const [right, other] = entry.grant === undefined ? [unknown, known] : [known, unknown];
      right.set(id, entry);
      other.delete(id);
      return entry;
    } catch (error) {
      pausedUntil.others = now() + PAUSE_MS;
      // Not after that of a guess: whoever goes on guessing would keep alive what is known, though it has been withdrawn.
      if (known.has(id)) pausedUntil.known = pausedUntil.others;
      throw error;
    }
  });

  return {
    recall: (who) => known.get(idOf(who))?.grant,

    async get(who) {
      const id = idOf(who);
      const last = known.get(id) ?? unknown.get(id);
      const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.loadedAt;
      if (last === undefined || age >= LAST_KNOWN_MS) {
        if (now() < pausedUntil.others) throw new AppError('UNAVAILABLE', { retryAfterSeconds: PAUSE_MS / 1000 });
        return (await refresh(id, who)).grant;
      }
      if (age < FRESH_MS || now() < pausedUntil[last.grant === undefined ? 'others' : 'known']) return last.grant;
      return (await refresh(id, who).catch(() => last)).grant;
    },
  };
}
