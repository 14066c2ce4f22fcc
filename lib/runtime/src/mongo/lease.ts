import type { Collection } from 'mongodb';
import { isDuplicateKey } from './mongo-errors.ts';

/** Collection of leases, in the database of every service. */
export const LEASES = 'leases';

/** A lease. Its `_id` is its name, and its times are the server's. */
export interface LeaseDocument {
  readonly _id: string;
  readonly owner: string;
  readonly expires_at: Date;
  /** Grows whenever the lease is acquired after its expiry, so that the release of an earlier holder has no effect. */
  readonly token: number;
  /** Last time at which a process asked for the lease in vain. Out of date by up to a third of `ttlMs`. */
  readonly wanted_at?: Date;
}

/** The right of one process to do something for a limited time. */
export interface Lease {
  /**
   * Acquires or renews the lease. False if another owner holds it. The holder may call this in a tight loop: only calls
   * after a third of `ttlMs` ask the server.
   */
  acquire(): Promise<boolean>;
  /** Releases the lease, so that others need not wait until it expires. Does nothing if it is not held. */
  release(): Promise<void>;
}

/** A lease that reports whether others want it. */
export interface ContendedLease extends Lease {
  /**
   * Whether a process asked for the lease in vain in the `ttlMs` before the holder's last request. Shortly after a
   * takeover, this process can be the holder itself. The only effect is that the holder polls more often.
   */
  isWanted(): boolean;
}

/**
 * A lease in MongoDB. It expires by the server's clock, so clock skew between owners is harmless. `owner` must be
 * unique for each process. An owner that stalls longer than `ttlMs` may overlap with the next owner. So every write
 * under the lease must be conditional on what was read, or harmless if it is late. Explain at each use which of them
 * applies.
 */
export function createLease({
  collection,
  name,
  owner,
  ttlMs,
}: {
  readonly collection: Collection<LeaseDocument>;
  readonly name: string;
  readonly owner: string;
  readonly ttlMs: number;
}): ContendedLease {
  let token = 0;
  let isContended = false;
  /**
   * Monotonic time at which the last successful request was sent. The lease begins later, at the server, so the holder
   * never overestimates the remaining time.
   */
  let heldSince = Number.NEGATIVE_INFINITY;

  /** Takes the lease if it is free or ours. Returns the lease after the update. */
  async function request(): Promise<LeaseDocument | null> {
    const me = { $literal: owner };
    // A missing time (in a new document) compares as earlier than any time.
    const isOver = { $lte: ['$expires_at', '$$NOW'] };
    const canTake = { $or: [isOver, { $eq: ['$owner', me] }] };
    const wasRecordedLately = { $gt: ['$wanted_at', { $subtract: ['$$NOW', ttlMs / 3] }] };
    const update = {
      owner: { $cond: [canTake, me, '$owner'] },
      expires_at: { $cond: [canTake, { $add: ['$$NOW', ttlMs] }, '$expires_at'] },
      token: { $cond: [isOver, { $add: [{ $ifNull: ['$token', 0] }, 1] }, '$token'] },
      // Updated at most once in a third of `ttlMs`, to save writes.
      wanted_at: { $cond: [{ $or: [canTake, wasRecordedLately] }, '$wanted_at', '$$NOW'] },
    };
    return collection.findOneAndUpdate({ _id: name }, [{ $set: update }], { upsert: true, returnDocument: 'after' });
  }

  /** Whether a process asked in vain in the `ttlMs` before the request that returned this document. */
  function wasWantedRecently({ wanted_at, expires_at }: LeaseDocument): boolean {
    // The request set the expiry to its own time plus `ttlMs`.
    const requestedMs = expires_at.getTime() - ttlMs;
    return wanted_at !== undefined && wanted_at.getTime() > requestedMs - ttlMs;
  }

  return {
    async acquire() {
      const askedAt = performance.now();
      if (askedAt - heldSince < ttlMs / 3) return true;
      heldSince = Number.NEGATIVE_INFINITY;
      try {
        const lease = await request();
        if (lease?.owner !== owner) return false;
        token = lease.token;
        isContended = wasWantedRecently(lease);
        heldSince = askedAt;
        return true;
      } catch (error) {
        // Two owners created the document at the same time, and the other one was first.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async release() {
      if (heldSince === Number.NEGATIVE_INFINITY) return;
      heldSince = Number.NEGATIVE_INFINITY;
      await collection.updateOne({ _id: name, owner, token }, { $set: { expires_at: new Date(0) } });
    },

    isWanted: () => isContended,
  };
}
