import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clocks } from '../stopwatch.ts';

/** Stores snapshots in the database. */
interface SnapshotStore<T> {
  find(key: string): Promise<T | undefined>;
  /**
   * Resolves when the snapshot is durable. Keeps a stored snapshot that was observed later. Does not insert a snapshot
   * of a deleted survey or link, because its tenant may have been erased.
   */
  save(snapshot: T, observedAt: Date): Promise<void>;
}

interface Options<T> extends Clocks {
  readonly store: SnapshotStore<T>;
  /** Reads the current state from the survey service, if it exists. */
  readonly source: (key: string, known: T | undefined) => Promise<T | undefined>;
  readonly isSame: (one: T, other: T) => boolean;
  /** Makes the snapshot of a survey or link that no longer exists. */
  readonly toDeleted: (known: T) => T;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  /** Size of a snapshot, in the unit of `capacity`. */
  readonly sizeOf: (snapshot: T) => number;
  readonly capacity: number;
  readonly log: Logger;
}

interface Entry<T> {
  readonly snapshot: T;
  /** Start of the last call to the source. After a failed call, the end of the call, to space retries. */
  readonly triedAt: number;
  readonly savedAt: number;
}

/** Lifetime of a cached snapshot. */
const FRESH_MS = 1_000;
/** Maximum wait for the survey service during an outage, if there is a snapshot. */
const OUTAGE_TIMEOUT_MS = 100;
/** Save an unchanged snapshot again after this time, because another process may have saved an outdated one. */
const SAVE_AGAIN_MS = 60_000;
/** Remove unused snapshots from memory after this time. */
export const UNUSED_TTL_MS = 5 * 60_000;

/** Caches surveys or links of the survey service for a second. During an outage, uses the stored snapshots. */
export function createSnapshots<T extends { readonly tenantId: TenantId }>(options: Options<T>) {
  const { store, source, isSame, toDeleted, tenants, sizeOf, capacity, log, clock, now } = options;
  /** Snapshots, with the times of their last reads. During an outage, an old snapshot stays in use. */
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: capacity,
    sizeCalculation: ({ snapshot }) => sizeOf(snapshot),
    ttl: UNUSED_TTL_MS,
    perf: { now },
  });
  let isSourceDown = false;

  const loadSaved = createSingleFlight(async (key) => {
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
      return fallBackTo(key, known, error);
    }
    recordRecovery();
    const snapshot = found ?? (known && toDeleted(known.snapshot));
    // Save nothing of a deleted tenant: after its erasure, no process would delete the snapshot.
    if (snapshot === undefined || (await tenants.statusOf(snapshot.tenantId)) === 'deleted') return undefined;
    const isKnown = known !== undefined && isSame(known.snapshot, snapshot);
    const isSaved = isKnown && now() - known.savedAt < SAVE_AGAIN_MS;
    // Save before use, so that a crash cannot lose a used snapshot.
    if (!isSaved) await store.save(snapshot, observedAt);
    entries.set(key, { snapshot, triedAt: askedAt, savedAt: isSaved ? known.savedAt : now() });
    return snapshot;
  });

  /**
   * Refreshes a snapshot. If the caller joined a running call and its result is not usable, refreshes once more: the
   * running call may have read an outdated state.
   */
  async function refreshFor(key: string, isUsable: (snapshot: T) => boolean): Promise<T | undefined> {
    const isJoined = refresh.isRunning(key);
    const found = await refresh(key);
    const isOutdated = isJoined && !isSourceDown && (found === undefined || !isUsable(found));
    return isOutdated ? refresh(key) : found;
  }

  async function fallBackTo(key: string, known: Entry<T> | undefined, error: unknown): Promise<T> {
    if (isOutage(error)) recordOutage(error);
    else log.warn({ err: error }, 'cannot read from the survey service, using the last snapshot');
    if (known === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
    const snapshot = await findSaved(key, known.snapshot);
    entries.set(key, { ...known, snapshot, triedAt: now() });
    return snapshot;
  }

  /** Returns the saved snapshot if another process has saved a different one. */
  async function findSaved(key: string, known: T): Promise<T> {
    try {
      const saved = await store.find(key);
      return saved === undefined || isSame(known, saved) ? known : saved;
    } catch (error) {
      log.warn({ err: error }, 'cannot read saved snapshots, using those in memory');
      return known;
    }
  }

  function recordOutage(error: unknown): void {
    if (!isSourceDown) log.warn({ err: error }, 'the survey service is not available, using the last snapshots');
    isSourceDown = true;
  }

  function recordRecovery(): void {
    if (isSourceDown) log.info('the survey service is available again');
    isSourceDown = false;
  }

  /** Finds a snapshot of any tenant. */
  async function lookUp(key: string, isUsable: (snapshot: T) => boolean): Promise<T | undefined> {
    let known = entries.get(key);
    if (known === undefined) {
      await loadSaved(key);
      known = entries.get(key);
    }
    // Ask the survey service if the snapshot is old or unusable: the survey may have been opened a moment ago.
    if (known !== undefined && now() - known.triedAt < FRESH_MS && isUsable(known.snapshot)) return known.snapshot;
    const refreshed = refreshFor(key, isUsable);
    if (known === undefined || !isSourceDown) return refreshed;
    return withTimeLimit<T | undefined>(refreshed, OUTAGE_TIMEOUT_MS, () => known.snapshot);
  }

  return {
    /**
     * Finds the snapshot of a key. Returns undefined if there never was one, or its tenant is deleted. Throws
     * `UNAVAILABLE` if there is no snapshot and the survey service is unavailable.
     *
     * @param isUsable whether a cached snapshot may be used. Return false if you would reject the request because of
     * it. `find` then reads the current state, because the snapshot may be outdated
     */
    async find(key: string, isUsable: (snapshot: T) => boolean) {
      const snapshot = await lookUp(key, isUsable);
      if (snapshot === undefined) return undefined;
      const status = await tenants.statusOf(snapshot.tenantId);
      return status === 'deleted' ? undefined : { snapshot, isTenantActive: status === 'active' };
    },
  };
}

/** Whether the survey service did not reply. */
function isOutage(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'UNAVAILABLE' || error.code === 'DEADLINE_EXCEEDED');
}

/** Punctuation after an address in a sentence. */
const AFTER_ADDRESS = /[.,;:!?)\]}>"'\u2019\u201d\u00bb]+$/;

/** Normalizes an id or slug that a person typed from a poster or clicked in a mail. Valid ones stay unchanged. */
export function normalizedIdOrSlug(text: string): string {
  return text.toLowerCase().replace(AFTER_ADDRESS, '');
}

/** Timeout of a call to the survey service. Shorter if a snapshot can replace the reply. */
export function sourceTimeoutMs(known: unknown): number {
  return known === undefined ? 5_000 : 1_000;
}
