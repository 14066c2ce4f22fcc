import type { Collection } from 'mongodb';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from '../kafka/outbox-event.ts';
import { measureDue } from '../mongo/claim.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { isDuplicateKey } from '../mongo/mongo-errors.ts';
import type { Backlog } from '../telemetry/reported-gauge.ts';
import type { TenantState, TenantStatus } from './tenant-state.ts';

/**
 * State of a tenant in a service. It stays when all other data of the tenant is gone. An erasure takes several passes,
 * because calls that were running at the deletion can still store data.
 */
export interface TenantStateDocument extends OutboxDocument {
  readonly _id: string;
  readonly status: TenantStatus;
  readonly revision: number;
  /** Due time of the next pass of the erasure. Absent before the deletion and after the end of the erasure. */
  readonly erase_at?: Date;
  /** Passes that have ended. Each pass deletes all documents of the tenant that it finds. */
  readonly passes?: number;
}

type DueErasureDocument = TenantStateDocument & Required<Pick<TenantStateDocument, 'erase_at'>>;

/** A deleted tenant whose erasure is due. */
export interface DueErasure {
  readonly tenantId: TenantId;
  /** Passes that ended before this one. */
  readonly passes: number;
  /** Time at which the pass is due. Each finished pass changes it, so only one process can report the pass. */
  readonly dueAt: Date;
}

export type TenantStateStore = ReturnType<typeof createTenantStateStore>;

export const tenantStateIndexes: IndexSpecs[string] = [
  // The index contains only unfinished erasures, so it stays small.
  { name: 'erasure_due', key: { erase_at: 1 }, partialFilterExpression: { erase_at: { $exists: true } } },
  outboxIndex,
];

export function createTenantStateStore(collection: Collection<TenantStateDocument>) {
  return {
    /** Resolves when the state is durable. Ignores states that are not newer than the stored one. */
    async save({ tenantId, status, revision, time }: TenantState): Promise<void> {
      const erasure = status === 'deleted' ? { erase_at: time, passes: 0 } : {};
      try {
        await collection.updateOne(
          { _id: tenantId, revision: { $lt: revision } },
          { $set: { status, revision, ...erasure } },
          { upsert: true },
        );
      } catch (error) {
        // The stored state is the same or newer.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** Returns `active` for an unknown tenant. */
    async statusOf(tenantId: TenantId): Promise<TenantStatus> {
      const state = await collection.findOne({ _id: tenantId }, { projection: { status: 1 }, maxTimeMS: 2_000 });
      return state?.status ?? 'active';
    },

    /** The due erasures, longest due first. */
    async findDue(now: Date, limit: number): Promise<readonly DueErasure[]> {
      const due = await collection
        .find<DueErasureDocument>({ erase_at: { $lte: now } }, { sort: { erase_at: 1 }, limit })
        .toArray();
      return due.map(({ _id, passes = 0, erase_at: dueAt }) => ({ tenantId: toTenantId(_id), passes, dueAt }));
    },

    measureDue: (now: Date): Promise<Backlog> => measureDue(collection, now, 'erase_at'),

    /** Stores that a pass is finished and another one is needed. Does nothing if another process was faster. */
    async scheduleNextPass({ tenantId, dueAt }: DueErasure, passes: number, nextDueAt: Date): Promise<void> {
      await collection.updateOne({ _id: tenantId, erase_at: dueAt }, { $set: { erase_at: nextDueAt, passes } });
    },

    /** Stores that the erasure is finished, with its event. Does nothing if another process was faster. */
    async finish({ tenantId, dueAt }: DueErasure, passes: number, event: OutboxEvent): Promise<void> {
      const update = { $set: { passes }, $unset: { erase_at: '' as const }, $push: { outbox: event } };
      await collection.updateOne({ _id: tenantId, erase_at: dueAt }, update);
    },
  };
}
