import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Permission, Role } from './roles.ts';
import { foldEmail, type User } from './user.ts';
import type { UserStore } from './user-service.ts';

export interface UserRecord {
  /** Tenant and user, since one `sub` may be a user of several tenants. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly user_id: string;
  readonly email: string;
  readonly email_folded: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
  readonly created_at: Date;
}

export const userIndexes: IndexSpecs[string] = [
  { name: 'email', key: { tenant_id: 1, email_folded: 1 }, unique: true },
];

export function createUserStore(collection: Collection<UserRecord>): UserStore {
  return {
    async insert(user) {
      await tenantCollection(collection, user.tenantId).insertOne({
        _id: recordId(user.tenantId, user.id),
        user_id: user.id,
        email: user.email,
        email_folded: foldEmail(user.email),
        role: user.role,
        permissions: user.permissions,
        created_at: user.createdAt,
      });
    },

    async find(tenantId, id) {
      const record = await tenantCollection(collection, tenantId).findOne({ _id: recordId(tenantId, id) });
      return record === null ? undefined : fromRecord(record);
    },
  };
}

function recordId(tenantId: TenantId, id: string): string {
  return `${tenantId}:${id}`;
}

function fromRecord(record: UserRecord): User {
  const { user_id, tenant_id, email, role, permissions, created_at } = record;
  return { id: user_id, tenantId: tenant_id, email, role, permissions, createdAt: created_at };
}
