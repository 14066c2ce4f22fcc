import type { Collection } from 'mongodb';
import { isDuplicateKey } from './mongo-errors.ts';

/** Name of the collection of leases in the database of every service. */
export const LEASES = 'leases';

/** One lease, by the name of what it guards. Times are the server's. */
export interface LeaseDocument {
  readonly _id: string;
  readonly owner: string;
  readonly expires_at: Date;
  readonly token: number;
  /** When somebody else last asked for it. */
  readonly wanted_at?: Date;
}

/** A turn at something that one process at a time should do. */
export interface Lease {
  /**
   * Takes the lease, or makes it longer when it is held. False while another owner has it. Asks the server only when
   * less than two thirds of the time are left, so it may be called in a tight loop.
   */
  acquire(): Promise<boolean>;
  /** Gives the lease back, so that others need not wait for it to expire. Does nothing when it is not held. */
  release(): Promise<void>;
  /**
   * The fencing token of the last `acquire` that got the lease: it grows whenever the lease changes hands, so a write
   * that carries it can be refused when a later owner has been there. 0 before.
   */
  token(): number;
}

/** A lease whose holder knows of others. */
export interface ContendedLease extends Lease {
  /** Whether another owner asked for it not long ago, as far as the last request to the server showed. */
  isWanted(): boolean;
}

/**
 * A lease in MongoDB that ends by the server's clock, so skewed clocks of owners do no harm. `owner` has to differ
 * between processes. A holder that stalls longer than `ttlMs` may overlap with the next one, so a lease only saves work:
 * every write under it has to be conditional on what was read, or harmless when it comes late. Say which at its use.
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
  let wanted = false;
  /** When the lease was last asked for with success; monotonic, and earlier than the server's own start of the term. */
  let heldSince = Number.NEGATIVE_INFINITY;

  /** The lease as it is afterwards: ours where it was free or ours before. */
  async function take(): Promise<LeaseDocument | null> {
    const me = { $literal: owner };
    // In a new document the time is missing, which compares as earlier than any.
    const isOver = { $lte: ['$expires_at', '$$NOW'] };
    const canTake = { $or: [isOver, { $eq: ['$owner', me] }] };
    const wasWantedLately = { $gt: ['$wanted_at', { $subtract: ['$$NOW', ttlMs / 3] }] };
    const update = {
      owner: { $cond: [canTake, me, '$owner'] },
      expires_at: { $cond: [canTake, { $add: ['$$NOW', ttlMs] }, '$expires_at'] },
      token: { $cond: [isOver, { $add: [{ $ifNull: ['$token', 0] }, 1] }, '$token'] },
      // Seldom: it is a write.
      wanted_at: { $cond: [{ $or: [canTake, wasWantedLately] }, '$wanted_at', '$$NOW'] },
    };
    return collection.findOneAndUpdate({ _id: name }, [{ $set: update }], { upsert: true, returnDocument: 'after' });
  }

  /** It was wanted during the last term, which ended `ttlMs` before this one does. */
  function isRecent({ wanted_at, expires_at }: LeaseDocument): boolean {
    return wanted_at !== undefined && wanted_at.getTime() > expires_at.getTime() - 2 * ttlMs;
  }

  return {
    async acquire() {
      const askedAt = performance.now();
      if (askedAt - heldSince < ttlMs / 3) return true;
      heldSince = Number.NEGATIVE_INFINITY;
      try {
        const lease = await take();
        if (lease?.owner !== owner) return false;
        token = lease.token;
        wanted = isRecent(lease);
        heldSince = askedAt;
        return true;
      } catch (error) {
        // Two owners made the document at the same time, and the other was first.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async release() {
      if (heldSince === Number.NEGATIVE_INFINITY) return;
      heldSince = Number.NEGATIVE_INFINITY;
      await collection.updateOne({ _id: name, owner, token }, { $set: { expires_at: new Date(0) } });
    },

    token: () => token,
    isWanted: () => wanted,
  };
}
