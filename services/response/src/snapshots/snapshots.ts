import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/** Where snapshots outlive the process. */
export interface SnapshotStore<T> {
  find(key: string): Promise<T | undefined>;
  /**
   * Resolves when the snapshot is durable. One that was observed later stays, and one of what is gone is not made: its
   * tenant may have been erased.
   */
  save(snapshot: T, observedAt: Date): Promise<void>;
}

export interface Snapshots<T> {
  /**
   * What is there under a key, undefined when nothing ever was, or when its tenant is deleted. Throws `UNAVAILABLE` when
   * only the survey service could tell, and does not.
   *
   * @param suffices what has to hold for an answer from memory: a refusal is made from nothing but fresh knowledge
   */
  find(key: string, suffices: (snapshot: T) => boolean): Promise<T | undefined>;
}

interface Options<T> {
  readonly store: SnapshotStore<T>;
  /** Asks the survey service what there is now; undefined when there is nothing. */
  readonly source: (key: string, known: T | undefined) => Promise<T | undefined>;
  /** Whether two snapshots say the same, so that the second need not be saved. */
  readonly isSame: (one: T, other: T) => boolean;
  /** What is remembered of something that is not there any more. */
  readonly toGone: (known: T) => T;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  /** How much of `capacity` a snapshot takes. */
  readonly sizeOf: (snapshot: T) => number;
  readonly capacity: number;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

interface Entry<T> {
  readonly snapshot: T;
  /** When the call to the source began; when it ended, of one that failed. */
  readonly triedAt: number;
  /** When it was saved last. */
  readonly savedAt: number;
}

/** How old a look-up may be that is answered from memory. Milliseconds. */
const FRESH_MS = 1_000;
/** How long to wait for a survey service that did not answer last, when there is a snapshot to go on with. */
const PATIENCE_MS = 100;
/** Saved again after this long even when unchanged: what another process saved may have been a passing state. */
const SAVE_AGAIN_MS = 60_000;
/** How long one that nobody asks for stays in memory. Milliseconds. */
export const FORGOTTEN_MS = 5 * 60_000;

/**
 * What the survey service says, at most a second old while it answers. While it does not, the last snapshot serves,
 * after a restart too.
 */
export function createSnapshots<T extends { readonly tenantId: TenantId }>(options: Options<T>): Snapshots<T> {
  const { store, source, isSame, toGone, tenants, sizeOf, capacity, log, clock, now } = options;
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: capacity,
    sizeCalculation: ({ snapshot }) => sizeOf(snapshot),
    ttl: FORGOTTEN_MS,
    perf: { now },
  });
  let isAway = false;

  const recall = createSingleFlight(async (key) => {
    const snapshot = await store.find(key);
    const never = Number.NEGATIVE_INFINITY;
    if (snapshot !== undefined) entries.set(key, { snapshot, triedAt: never, savedAt: never });
  });

  const refresh = createSingleFlight(async (key): Promise<T | undefined> => {
    const known = entries.get(key);
    const [observedAt, askedAt] = [clock(), now()];
    let found: T | undefined;
    try {
      found = await source(key, known?.snapshot);
    } catch (error) {
      return goOnWith(key, known, error);
    }
    noteAnswer();
    const snapshot = found ?? (known && toGone(known.snapshot));
    // What is saved of a deleted tenant could stay when everything else of it has been destroyed.
    if (snapshot === undefined || (await isOfDeleted(snapshot))) return undefined;
    const isKnown = known !== undefined && isSame(known.snapshot, snapshot);
    const isSaved = isKnown && now() - known.savedAt < SAVE_AGAIN_MS;
    // A snapshot that is not durable would be lost with the process, and what it serves with it.
    if (!isSaved) await store.save(snapshot, observedAt);
    // What a slow call says is as old as the call.
    entries.set(key, { snapshot, triedAt: askedAt, savedAt: isSaved ? known.savedAt : now() });
    return snapshot;
  });

  async function goOnWith(key: string, known: Entry<T> | undefined, error: unknown): Promise<T> {
    if (isOutage(error)) noteOutage(error);
    else log.warn({ err: error }, 'the survey service fails to tell of something, its last snapshot serves');
    if (known === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
    const snapshot = await findSaved(key, known.snapshot);
    entries.set(key, { ...known, snapshot, triedAt: now() });
    return snapshot;
  }

  /** What is known, or what another process was told later and saved. */
  async function findSaved(key: string, known: T): Promise<T> {
    try {
      const saved = await store.find(key);
      return saved === undefined || isSame(known, saved) ? known : saved;
    } catch (error) {
      log.warn({ err: error }, 'snapshots could not be read, what is in memory serves');
      return known;
    }
  }

  function noteOutage(error: unknown): void {
    if (!isAway) log.warn({ err: error }, 'the survey service does not answer, the last snapshots serve');
    isAway = true;
  }

  function noteAnswer(): void {
    if (isAway) log.info('the survey service answers again');
    isAway = false;
  }

  const isOfDeleted = async ({ tenantId }: T) => (await tenants.statusOf(tenantId)) === 'deleted';

  async function look(key: string, suffices: (snapshot: T) => boolean): Promise<T | undefined> {
    let known = entries.get(key);
    if (known === undefined) {
      await recall(key);
      known = entries.get(key);
    }
    if (known !== undefined && now() - known.triedAt < FRESH_MS && suffices(known.snapshot)) return known.snapshot;
    const refreshed = refresh(key);
    return known !== undefined && isAway ? withPatience(refreshed, known.snapshot) : refreshed;
  }

  return {
    async find(key, suffices) {
      const found = await look(key, suffices);
      return found === undefined || (await isOfDeleted(found)) ? undefined : found;
    },
  };
}

/** Whether nothing came back: what is asked for something else would not come back either. */
function isOutage(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'UNAVAILABLE' || error.reason === 'DEADLINE_EXCEEDED');
}

/** What is there now, or the known when that takes too long. */
async function withPatience<T>(refreshed: Promise<T | undefined>, known: T): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, known);
  });
  try {
    return await Promise.race([refreshed, enough]);
  } finally {
    clearTimeout(timer);
  }
}
