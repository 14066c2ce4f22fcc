import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clocks } from '../stopwatch.ts';

/** Stores snapshots, which outlive the process. */
interface SnapshotStore<T> {
  find(key: string): Promise<T | undefined>;
  /**
   * Resolves when the snapshot is durable. Keeps a stored snapshot that was observed later. Never inserts a snapshot of
   * something deleted: its tenant may have been erased.
   */
  save(snapshot: T, observedAt: Date): Promise<void>;
}

interface Options<T> extends Clocks {
  readonly store: SnapshotStore<T>;
  /** Reads the current state from the survey service. Returns undefined if it does not exist. */
  readonly source: (key: string, known: T | undefined) => Promise<T | undefined>;
  /** Whether two snapshots are equal, so that the second need not be saved. */
  readonly isSame: (one: T, other: T) => boolean;
  /** Makes the snapshot of something that no longer exists. */
  readonly toDeleted: (known: T) => T;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  /** Size of a snapshot, in the unit of `capacity`. */
  readonly sizeOf: (snapshot: T) => number;
  readonly capacity: number;
  readonly log: Logger;
}

interface Entry<T> {
  readonly snapshot: T;
  /**
   * Time at which the last call to the source started. After a failed call, the time at which it ended, to space
   * retries.
   */
  readonly triedAt: number;
  readonly savedAt: number;
}

/** Lifetime of a cached snapshot. */
const FRESH_MS = 1_000;
/** Maximum wait for the survey service during an outage, if there is a snapshot. */
const OUTAGE_TIMEOUT_MS = 100;
/** Save an unchanged snapshot again after this time: another process may have saved an outdated one. */
const SAVE_AGAIN_MS = 60_000;
/** Unused snapshots are removed from memory after this time. */
export const UNUSED_TTL_MS = 5 * 60_000;

/** Caches data of the survey service for a second. During an outage, the stored snapshots are used. */
export function createSnapshots<T extends { readonly tenantId: TenantId }>(options: Options<T>) {
  const { store, source, isSame, toDeleted, tenants, sizeOf, capacity, log, clock, now } = options;
  /** Snapshots, with the times of their last reads. They are kept in use while the survey service does not reply. */
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
    // Save nothing of a deleted tenant: saved after the erasure, it would stay forever.
    if (snapshot === undefined || (await tenants.statusOf(snapshot.tenantId)) === 'deleted') return undefined;
    const isKnown = known !== undefined && isSame(known.snapshot, snapshot);
    const isSaved = isKnown && now() - known.savedAt < SAVE_AGAIN_MS;
    // Save before use: a snapshot that is not durable would be lost with the process.
    if (!isSaved) await store.save(snapshot, observedAt);
    // The age of the snapshot counts from the start of the call.
    entries.set(key, { snapshot, triedAt: askedAt, savedAt: isSaved ? known.savedAt : now() });
    return snapshot;
  });

  /** Refreshes, and again if the caller joined a call that may have begun before the change that it waits for. */
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

  /** Returns the saved snapshot if it differs from the known one: another process has read it later. */
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

  /** Finds a snapshot, of whatever tenant. */
  async function lookUp(key: string, isUsable: (snapshot: T) => boolean): Promise<T | undefined> {
    let known = entries.get(key);
    if (known === undefined) {
      await loadSaved(key);
      known = entries.get(key);
    }
    // Two questions: is the snapshot recent, and would it let the request pass? If it would not, ask the survey service
    // before the request is rejected: the survey may have been opened a moment ago.
    if (known !== undefined && now() - known.triedAt < FRESH_MS && isUsable(known.snapshot)) return known.snapshot;
    const refreshed = refreshFor(key, isUsable);
    if (known === undefined || !isSourceDown) return refreshed;
    return withTimeLimit<T | undefined>(refreshed, OUTAGE_TIMEOUT_MS, () => known.snapshot);
  }

  return {
    /**
     * Finds the snapshot of a key, with the state of its tenant. Returns undefined if it never existed or its tenant is
     * deleted. Throws `UNAVAILABLE` if there is no snapshot and the survey service is not available.
     *
     * @param isUsable whether a cached snapshot may be used. Return false if it would make you reject the request: it
     * may be outdated, so the survey service is asked first, by a call that begins after this one
     */
    async find(key: string, isUsable: (snapshot: T) => boolean) {
      const snapshot = await lookUp(key, isUsable);
      if (snapshot === undefined) return undefined;
      const status = await tenants.statusOf(snapshot.tenantId);
      return status === 'deleted' ? undefined : { snapshot, isTenantActive: status === 'active' };
    },
  };
}

/** Whether the survey service did not reply. Then calls for other keys would also fail. */
function isOutage(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'UNAVAILABLE' || error.code === 'DEADLINE_EXCEEDED');
}

/** Punctuation that follows an address in a sentence, and can be taken for a part of it. */
const AFTER_ADDRESS = /[.,;:!?)\]}>"'\u2019\u201d\u00bb]+$/;

/**
 * The id or slug in an address that a person typed from a poster, or clicked in a mail: in lower case, without
 * punctuation at the end. Ids and slugs have neither capitals nor punctuation, so no other address is lost.
 */
export function normalizedAddress(text: string): string {
  return text.toLowerCase().replace(AFTER_ADDRESS, '');
}

/** Timeout of a call to the survey service. It is shorter if there is a snapshot to fall back on. */
export function sourceTimeoutMs(known: unknown): number {
  return known === undefined ? 5_000 : 1_000;
}
