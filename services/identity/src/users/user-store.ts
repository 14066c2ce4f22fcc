import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPage } from '@survey/runtime/mongo/page';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { Permission, Role } from './roles.ts';
import { foldEmail, type User } from './user.ts';
import type { UserStore, WriteOutcome } from './user-service.ts';

export interface UserRecord {
  /** Tenant and user, since one `sub` may be a user of several tenants. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly user_id: string;
  readonly email: string;
  readonly email_folded: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** How often this owner was the one who stayed; see `withAnotherOwner`. */
  readonly times_relied_on?: number;
}

export const userIndexes: IndexSpecs[string] = [
  { name: 'email', key: { tenant_id: 1, email_folded: 1 }, unique: true },
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  { name: 'owners', key: { tenant_id: 1 }, partialFilterExpression: { role: 'owner' } },
];

interface Dependencies {
  readonly collection: Collection<UserRecord>;
  readonly client: MongoClient;
}

/** One write, told whether it met the revision that it was meant for. */
type Write = (session?: ClientSession) => Promise<boolean>;

export function createUserStore({ collection, client }: Dependencies): UserStore {
  const usersOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  /**
   * Writes together with a mark on another owner. Of two owners who go at the same time one would mark the other, whom
   * the other transaction writes: MongoDB lets one of them through, and the other one starts again and finds nobody.
   */
  function withAnotherOwner({ tenantId, id }: User, write: Write): Promise<WriteOutcome> {
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const another = { role: 'owner' as const, user_id: { $ne: id } };
        const mark = { $inc: { times_relied_on: 1 } };
        const { matchedCount } = await usersOf(tenantId).updateOne(another, mark, { session });
        if (matchedCount === 0) return 'last-owner' as const;
        return toOutcome(await write(session));
      }),
    );
  }

  return {
    async insert(user) {
      await usersOf(user.tenantId).insertOne({
        _id: recordId(user.tenantId, user.id),
        user_id: user.id,
        created_at: user.createdAt,
        ...toFields(user),
      });
    },

    async find(tenantId, id) {
      const record = await usersOf(tenantId).findOne({ _id: recordId(tenantId, id) });
      return record === null ? undefined : fromRecord(record);
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findPage(usersOf(tenantId), {}, query);
      return { items: items.map(fromRecord), ...rest };
    },

    async replace(before, after) {
      const write: Write = async (session) => {
        const update = { $set: toFields(after) };
        const options = session === undefined ? {} : { session };
        const { matchedCount } = await usersOf(before.tenantId).updateOne(asItWas(before), update, options);
        return matchedCount === 1;
      };
      const isDemotion = before.role === 'owner' && after.role !== 'owner';
      return isDemotion ? withAnotherOwner(before, write) : toOutcome(await write());
    },

    async remove(user) {
      const write: Write = async (session) => {
        const options = session === undefined ? {} : { session };
        const { deletedCount } = await usersOf(user.tenantId).deleteOne(asItWas(user), options);
        return deletedCount === 1;
      };
      return user.role === 'owner' ? withAnotherOwner(user, write) : toOutcome(await write());
    },
  };
}

function recordId(tenantId: TenantId, id: string): string {
  return `${tenantId}:${id}`;
}

function asItWas({ tenantId, id, revision }: User) {
  return { _id: recordId(tenantId, id), revision };
}

function toOutcome(isDone: boolean): WriteOutcome {
  return isDone ? 'done' : 'outdated';
}

/** What can change of a user. */
function toFields({ email, role, permissions, revision, updatedAt }: User) {
  return { email, email_folded: foldEmail(email), role, permissions, revision, updated_at: updatedAt };
}

function fromRecord(record: UserRecord): User {
  return {
    id: record.user_id,
    tenantId: record.tenant_id,
    email: record.email,
    role: record.role,
    permissions: record.permissions,
    revision: record.revision,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  };
}
