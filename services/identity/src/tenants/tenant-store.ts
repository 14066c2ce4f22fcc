import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxDocument } from '@survey/runtime/kafka/outbox-event';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Tenant, TenantStatus } from './tenant.ts';
import type { TenantStore } from './tenant-service.ts';

/** A tenant as it is stored. */
export interface StoredTenant extends OutboxDocument {
  /** The tenant's id, as `tenant_id` is. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly status: TenantStatus;
  readonly limits: { readonly requests_per_minute: number | null; readonly concurrent_requests: number | null };
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly erased_by: readonly string[];
}

interface Dependencies {
  readonly collection: Collection<StoredTenant>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createTenantStore({ collection, onEvent }: Dependencies): TenantStore {
  return {
    async insert(tenant) {
      const { id, createdAt } = tenant;
      await tenantCollection(collection, id).insertOne({ _id: id, created_at: createdAt, ...toFields(tenant) });
    },

    async find(id) {
      const stored = await tenantCollection(collection, id).findOne({ _id: id });
      return stored === null ? undefined : fromStored(stored);
    },

    async replace({ id, revision }, after, events) {
      const { matchedCount } = await tenantCollection(collection, id).updateOne(
        { _id: id, revision },
        { $set: toFields(after), $push: { outbox: { $each: [...events] } } },
      );
      onEvent();
      return matchedCount === 1;
    },
  };
}

/** What can change of a tenant. */
function toFields({ name, status, limits, revision, updatedAt, erasedBy }: Tenant) {
  return {
    name,
    status,
    limits: {
      requests_per_minute: limits.requestsPerMinute ?? null,
      concurrent_requests: limits.concurrentRequests ?? null,
    },
    revision,
    updated_at: updatedAt,
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
    erasedBy: stored.erased_by,
  };
}
