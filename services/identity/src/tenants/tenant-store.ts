import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Tenant, TenantStatus } from './tenant.ts';

export interface StoredTenant extends OutboxDocument {
  /** The tenant's id, like `tenant_id`. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly status: TenantStatus;
  readonly limits: { readonly requests_per_minute: number | null; readonly concurrent_requests: number | null };
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
  /** The services that have erased their data of the tenant. */
  readonly erased_by: readonly string[];
}

export const tenantIndexes: IndexSpecs[string] = [
  // Contains only tenants whose creation is running or was interrupted, so it stays small.
  { name: 'creating', key: { created_at: 1 }, partialFilterExpression: { status: 'creating' } },
];

interface Dependencies {
  readonly collection: Collection<StoredTenant>;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

export type TenantStore = ReturnType<typeof createTenantStore>;

/** Stores tenants. `replace` stores events in the same write. The event of a creation is stored by the activation. */
export function createTenantStore({ collection, onEvent }: Dependencies) {
  return {
    async insert(tenant: Tenant): Promise<void> {
      const { id, createdAt } = tenant;
      await tenantCollection(collection, id).insertOne({ _id: id, created_at: createdAt, ...toFields(tenant) });
    },

    async find(id: TenantId): Promise<Tenant | undefined> {
      const stored = await tenantCollection(collection, id).findOne({ _id: id });
      return stored === null ? undefined : fromStored(stored);
    },

    /** Returns false when the revision has changed. */
    async replace({ id, revision }: Tenant, after: Tenant, events: readonly OutboxEvent[]): Promise<boolean> {
      const { matchedCount } = await tenantCollection(collection, id).updateOne(
        { _id: id, revision },
        { $set: toFields(after), $push: { outbox: { $each: [...events] } } },
      );
      onEvent();
      return matchedCount === 1;
    },

    /** Lists tenants by id, which is the order of creation: ids begin with a time (UUID version 7). */
    async list({
      limit,
      after,
    }: {
      readonly limit: number;
      readonly after?: TenantId | undefined;
    }): Promise<readonly Tenant[]> {
      const stored = await systemScope(collection)
        .find(after === undefined ? {} : { _id: { $gt: after } }, { sort: { _id: 1 }, limit })
        .toArray();
      return stored.map(fromStored);
    },

    /** Finds tenants whose creation began before a time and did not end, the oldest first. */
    async findUnfinished(createdBefore: Date, limit: number): Promise<readonly Tenant[]> {
      const filter = { status: 'creating', created_at: { $lt: createdBefore } } as const;
      const stored = await systemScope(collection)
        .find(filter, { sort: { created_at: 1 }, limit })
        .toArray();
      return stored.map(fromStored);
    },
  };
}

function toFields({ name, status, limits, revision, updatedAt, deletedAt, deletedBy, erasedBy }: Tenant) {
  return {
    name,
    status,
    limits: {
      requests_per_minute: limits.requestsPerMinute ?? null,
      concurrent_requests: limits.concurrentRequests ?? null,
    },
    revision,
    updated_at: updatedAt,
    deleted_at: deletedAt ?? null,
    deleted_by: deletedBy ?? null,
    erased_by: erasedBy,
  };
}

function fromStored(stored: StoredTenant): Tenant {
  return {
    id: stored.tenant_id,
    name: stored.name,
    status: stored.status,
    limits: {
      requestsPerMinute: stored.limits.requests_per_minute ?? undefined,
      concurrentRequests: stored.limits.concurrent_requests ?? undefined,
    },
    revision: stored.revision,
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    deletedAt: stored.deleted_at ?? undefined,
    deletedBy: stored.deleted_by ?? undefined,
    erasedBy: stored.erased_by,
  };
}
