import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Tenant } from './tenant.ts';
import type { TenantStore } from './tenant-service.ts';

export interface TenantRecord {
  /** The tenant's id, as `tenant_id` is. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly status: Tenant['status'];
  readonly created_at: Date;
}

export function createTenantStore(collection: Collection<TenantRecord>): TenantStore {
  return {
    async insert({ id, name, status, createdAt }) {
      await tenantCollection(collection, id).insertOne({ _id: id, name, status, created_at: createdAt });
    },

    async activate(id) {
      await tenantCollection(collection, id).updateOne({ _id: id }, { $set: { status: 'active' } });
    },

    async find(id) {
      const record = await tenantCollection(collection, id).findOne({ _id: id });
      return record === null ? undefined : fromRecord(record);
    },

    async rename(id, name) {
      const record = await tenantCollection(collection, id).findOneAndUpdate({ _id: id }, { $set: { name } });
      return record === null ? undefined : fromRecord(record);
    },
  };
}

function fromRecord({ tenant_id: id, name, status, created_at: createdAt }: TenantRecord): Tenant {
  return { id, name, status, createdAt };
}
