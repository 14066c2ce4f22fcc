import type { Collection } from 'mongodb';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from '../kafka/outbox-event.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { isDuplicateKey } from '../mongo/mongo-errors.ts';
import type { Backlog } from '../telemetry/backlog-metrics.ts';
import type { TenantState, TenantStatus } from './tenant-state.ts';

/** What a service knows of a tenant. It stays when everything else of the tenant is gone. */
export interface TenantStateDocument extends OutboxDocument {
  /** Id of the tenant. */
  readonly _id: string;
  readonly status: TenantStatus;
  readonly revision: number;
  /** When the tenant's data are to be destroyed, the first time or once more; absent when they are not, or are gone. */
  readonly erase_at?: Date;
  /** How often that was done. */
  readonly passes?: number;
}

type DueDocument = TenantStateDocument & Required<Pick<TenantStateDocument, 'erase_at'>>;

/** A deleted tenant whose data are not known to be gone. */
export interface DueErasure {
  readonly tenantId: TenantId;
  /** How often they were destroyed so far. */
  readonly passes: number;
  /** When it was due. It changes with each pass, and when the tenant is deleted again. */
  readonly dueAt: Date;
}

/** Where a service keeps the states of tenants. */
export interface TenantStateStore {
  /** Resolves when the state is durable. One that is older than what is known, or the same, changes nothing. */
  save(state: TenantState): Promise<void>;
  /** `active` for a tenant that was not heard of. */
  statusOf(tenantId: TenantId): Promise<TenantStatus>;
  /** Those whose time has come, the longest due first. */
  findDue(now: Date, limit: number): Promise<readonly DueErasure[]>;
  measureDue(now: Date): Promise<Backlog>;
  /** Notes that the data were destroyed, and are to be once more. Changes nothing when another process was faster. */
  postpone(erasure: DueErasure, passes: number, until: Date): Promise<void>;
  /** Notes that the data are gone, with the event that tells so. Changes nothing when another process was faster. */
  end(erasure: DueErasure, passes: number, event: OutboxEvent): Promise<void>;
}

/** Indexes of the collection of states. */
export const tenantStateIndexes: IndexSpecs[string] = [
  // Holds only what is not over yet, so it stays small.
  { name: 'erasure_due', key: { erase_at: 1 }, partialFilterExpression: { erase_at: { $exists: true } } },
  outboxIndex,
];

export function createTenantStateStore(collection: Collection<TenantStateDocument>): TenantStateStore {
  return {
    async save({ tenantId, status, revision, time }) {
      const erasure = status === 'deleted' ? { erase_at: time, passes: 0 } : {};
      try {
        await collection.updateOne(
          { _id: tenantId, revision: { $lt: revision } },
          { $set: { status, revision, ...erasure } },
          { upsert: true },
        );
      } catch (error) {
        // It is there, and not older than this one.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async statusOf(tenantId) {
      const state = await collection.findOne({ _id: tenantId }, { projection: { status: 1 }, maxTimeMS: 2_000 });
      return state?.status ?? 'active';
    },

    async findDue(now, limit) {
      const due = await collection
        .find<DueDocument>({ erase_at: { $lte: now } }, { sort: { erase_at: 1 }, limit })
        .toArray();
      return due.map(({ _id, passes = 0, erase_at: dueAt }) => ({ tenantId: toTenantId(_id), passes, dueAt }));
    },

    async measureDue(now) {
      const due = { erase_at: { $lte: now } };
      const [count, oldest] = await Promise.all([
        collection.countDocuments(due, { maxTimeMS: 2_000 }),
        collection.findOne(due, { sort: { erase_at: 1 }, projection: { erase_at: 1 }, maxTimeMS: 2_000 }),
      ]);
      const oldestSeconds = oldest?.erase_at === undefined ? 0 : (now.getTime() - oldest.erase_at.getTime()) / 1_000;
      return { count, oldestSeconds };
    },

    async postpone({ tenantId, dueAt }, passes, until) {
      await collection.updateOne({ _id: tenantId, erase_at: dueAt }, { $set: { erase_at: until, passes } });
    },

    async end({ tenantId, dueAt }, passes, event) {
      const update = { $set: { passes }, $unset: { erase_at: '' as const }, $push: { outbox: event } };
      await collection.updateOne({ _id: tenantId, erase_at: dueAt }, update);
    },
  };
}
