import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { type OutboxEvent, replaceWithTombstone } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { Permission, Role } from './roles.ts';
import { foldEmail, type User } from './user.ts';

export interface UserDocument {
  /** The `membershipId`. A `sub` can be a user of several tenants, or be added again after its removal. */
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
  /** Incremented by `withAnotherOwner`. */
  readonly times_relied_on?: number;
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
}

/** The unique indexes are sparse, because the tombstone of a removed user lacks these fields. */
export const userIndexes: IndexSpecs[string] = [
  { name: 'user', key: { tenant_id: 1, user_id: 1 }, unique: true, sparse: true },
  { name: 'email', key: { tenant_id: 1, email_folded: 1 }, unique: true, sparse: true },
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  { name: 'owners', key: { tenant_id: 1 }, partialFilterExpression: { role: 'owner' } },
];

interface Dependencies {
  readonly collection: Collection<UserDocument>;
  readonly client: MongoClient;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

/** A write. Returns false if the revision has changed. */
type Write = (session?: ClientSession) => Promise<boolean>;

export type UserStore = ReturnType<typeof createUserStore>;

/** Stores users. Each write includes its event. */
export function createUserStore({ collection, client, onEvent }: Dependencies) {
  const usersOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);

  /**
   * Writes in a transaction that also marks another owner. If two owners are removed at the same time, each transaction
   * marks the owner that the other transaction removes. MongoDB commits one transaction. The other retries and finds no
   * other owner.
   */
  function withAnotherOwner({ tenantId, id }: User, write: Write): Promise<boolean> {
    return inTransaction(client, async (session) => {
      const otherOwner = { role: 'owner' as const, user_id: { $ne: id } };
      const mark = { $inc: { times_relied_on: 1 } };
      const { matchedCount } = await usersOf(tenantId).updateOne(otherOwner, mark, { session });
      if (matchedCount === 0) throw new AppError('LAST_OWNER');
      return write(session);
    });
  }

  /** @param removesOwner whether the tenant has one owner fewer after the write */
  async function writeKeepingOwner(user: User, removesOwner: boolean, write: Write): Promise<boolean> {
    const isDone = await (removesOwner ? withAnotherOwner(user, write) : write());
    if (isDone) onEvent();
    return isDone;
  }

  return {
    /**
     * Returns the user, or the existing one with this `membershipId`. Throws `ALREADY_EXISTS` if another user of the
     * tenant has this e-mail address or id.
     */
    async insert(user: User, event: OutboxEvent): Promise<User> {
      const stored = await insertOnce(usersOf(user.tenantId), {
        _id: user.membershipId,
        user_id: user.id,
        created_at: user.createdAt,
        ...toFields(user),
        outbox: [event],
      });
      onEvent();
      return fromDocument(stored);
    },

    async find(tenantId: TenantId, id: string): Promise<User | undefined> {
      const document = await usersOf(tenantId).findOne({ user_id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId: TenantId, query: PageQuery): Promise<Page<User>> {
      const { items, ...rest } = await findPage(usersOf(tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    /**
     * Returns false when the revision has changed. Throws `LAST_OWNER`, and `ALREADY_EXISTS` if another user of the
     * tenant has this e-mail address.
     */
    replace(before: User, after: User, event: OutboxEvent): Promise<boolean> {
      const isDemotion = before.role === 'owner' && after.role !== 'owner';
      return writeKeepingOwner(before, isDemotion, async (session) => {
        const update = { $set: toFields(after), $push: { outbox: event } };
        const options = session === undefined ? {} : { session };
        const { matchedCount } = await usersOf(before.tenantId).updateOne(atRevision(before), update, options);
        return matchedCount === 1;
      });
    },

    /** Returns false when the revision has changed. Throws `LAST_OWNER`. */
    remove(user: User, event: OutboxEvent): Promise<boolean> {
      return writeKeepingOwner(user, user.role === 'owner', (session) =>
        replaceWithTombstone(collection, user.tenantId, atRevision(user), [event], session),
      );
    },
  };
}

function atRevision({ membershipId, revision }: User) {
  return { _id: membershipId, revision };
}

function toFields({ email, role, permissions, revision, updatedAt }: User) {
  return { email, email_folded: foldEmail(email), role, permissions, revision, updated_at: updatedAt };
}

function fromDocument(document: UserDocument): User {
  return {
    id: document.user_id,
    membershipId: document._id,
    tenantId: document.tenant_id,
    email: document.email,
    role: document.role,
    permissions: document.permissions,
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
