import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Permission } from '../users/roles.ts';
import type { ApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-service.ts';

export interface ApiKeyRecord {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly prefix: string;
  readonly secret_hash: string;
  readonly permissions: readonly Permission[];
  readonly created_by: string;
  readonly creator_since: Date;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
}

export const apiKeyIndexes: IndexSpecs[string] = [
  { name: 'secret', key: { secret_hash: 1 }, unique: true },
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
];

export function createApiKeyStore(collection: Collection<ApiKeyRecord>): ApiKeyStore {
  return {
    async insert(key) {
      await tenantCollection(collection, key.tenantId).insertOne(toRecord(key));
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), {}, query);
      return { items: items.map(fromRecord), ...rest };
    },

    async remove(tenantId, id) {
      const { deletedCount } = await tenantCollection(collection, tenantId).deleteOne({ _id: id });
      return deletedCount === 1;
    },

    async findBySecret(secretHash) {
      const record = await systemScope(collection).findOne({ secret_hash: secretHash }, { maxTimeMS: 2_000 });
      return record === null ? undefined : fromRecord(record);
    },

    async noteUse({ tenantId, id, lastUsedAt }, time) {
      const asItWas = { _id: id, last_used_at: lastUsedAt ?? null };
      await tenantCollection(collection, tenantId).updateOne(asItWas, { $set: { last_used_at: time } });
    },
  };
}

function toRecord(key: ApiKey): Omit<ApiKeyRecord, 'tenant_id'> {
  return {
    _id: key.id,
    name: key.name,
    prefix: key.prefix,
    secret_hash: key.secretHash,
    permissions: key.permissions,
    created_by: key.createdBy,
    creator_since: key.creatorSince,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
  };
}

function fromRecord(record: ApiKeyRecord): ApiKey {
  return {
    id: record._id,
    tenantId: record.tenant_id,
    name: record.name,
    prefix: record.prefix,
    secretHash: record.secret_hash,
    permissions: record.permissions,
    createdBy: record.created_by,
    creatorSince: record.creator_since,
    createdAt: record.created_at,
    expiresAt: record.expires_at ?? undefined,
    lastUsedAt: record.last_used_at ?? undefined,
  };
}
