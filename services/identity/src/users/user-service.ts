import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing, FIRST_REVISION, type IfMatch } from '@survey/runtime/rpc/if-match';
import type { TenantStore } from '../tenants/tenant-store.ts';
import { type Granter, type Role, requireGrantable, toPermissions } from './roles.ts';
import { grantsOf, type User, withChange } from './user.ts';
import type { UserStore } from './user-store.ts';

interface NewUser {
  /** The `sub` of the user's tokens. Default: the `membershipId`. */
  readonly id?: string | undefined;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly string[];
}

type UserChange = Partial<Omit<NewUser, 'id'>>;

interface Dependencies {
  readonly users: UserStore;
  readonly tenants: Pick<TenantStore, 'find'>;
  readonly clock: () => Date;
  readonly newId: () => string;
}

export type UserService = ReturnType<typeof createUserService>;

/** Manages the users of tenants. The author of a change (the granter) can grant only permissions that it has. */
export function createUserService({ users, tenants, clock, newId }: Dependencies) {
  async function requireActiveTenant(tenantId: TenantId): Promise<void> {
    const tenant = await tenants.find(tenantId);
    if (tenant?.status !== 'active') throw new AppError('TENANT_NOT_FOUND');
  }

  async function get(tenantId: TenantId, id: string): Promise<User> {
    const user = await users.find(tenantId, id);
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    return user;
  }

  function toUser(
    tenantId: TenantId,
    membershipId: string,
    { id = membershipId, email, role, permissions }: NewUser,
  ): User {
    const time = clock();
    return {
      id,
      membershipId,
      tenantId,
      email,
      role,
      permissions: toPermissions(permissions),
      revision: FIRST_REVISION,
      createdAt: time,
      updatedAt: time,
    };
  }

  const insert = (context: ChangeContext, user: User) =>
    users.insert(user, userEvent(context, 'user.created', undefined, user));

  /** Returns the changed user, or undefined after a concurrent change. */
  async function writeChange(granter: Granter, before: User, change: UserChange): Promise<User | undefined> {
    const fields = { ...change, permissions: toPermissions(change.permissions ?? before.permissions) };
    if (changesNothing(before, fields)) return before;
    const after = withChange(before, fields, clock());
    // The granter needs all permissions that the user has before and after the change.
    requireGrantable(granter.permissions, grantsOf(before).permissions);
    requireGrantable(granter.permissions, grantsOf(after).permissions);
    return (await users.replace(before, after, userEvent(granter, 'user.updated', before, after))) ? after : undefined;
  }

  return {
    get,

    addOwner: (context: ChangeContext, email: string) =>
      insert(context, toUser(context.tenantId, newId(), { email, role: 'owner', permissions: [] })),

    /** Operators can give any permission. */
    async addByOperator(context: ChangeContext, newUser: NewUser): Promise<User> {
      await requireActiveTenant(context.tenantId);
      return insert(context, toUser(context.tenantId, newId(), newUser));
    },

    list: (tenantId: TenantId, query: PageQuery) => users.list(tenantId, query),

    /** Creates a user, or returns the existing user with this `membershipId`. */
    async create(granter: Granter, membershipId: string, newUser: NewUser): Promise<User> {
      const user = toUser(granter.tenantId, membershipId, newUser);
      requireGrantable(granter.permissions, grantsOf(user).permissions);
      return insert(granter, user);
    },

    change: (granter: Granter, id: string, change: UserChange, ifMatch: IfMatch | undefined): Promise<User> =>
      changeLatest(
        { ifMatch },
        { read: () => get(granter.tenantId, id), write: (before) => writeChange(granter, before, change) },
      ),

    async remove(granter: Granter, id: string, ifMatch: IfMatch | undefined): Promise<void> {
      const read = () => get(granter.tenantId, id);
      const write = async (user: User) => {
        requireGrantable(granter.permissions, grantsOf(user).permissions);
        // The event has the revision and time of the deletion.
        const event = userEvent(granter, 'user.deleted', user, withChange(user, {}, clock()));
        return (await users.remove(user, event)) ? user : undefined;
      };
      await changeLatest({ ifMatch }, { read, write });
    },

    /** Throws `TENANT_NOT_FOUND` if the tenant is not active, because its users have no access. */
    async getOfActiveTenant(tenantId: TenantId, id: string): Promise<User> {
      await requireActiveTenant(tenantId);
      return get(tenantId, id);
    },
  };
}

type UserAction = 'user.created' | 'user.updated' | 'user.deleted';

/** The audit event of a change; `before` is undefined for a new user. */
export function userEvent(
  context: ChangeContext,
  action: UserAction,
  before: User | undefined,
  after: User,
): OutboxEvent {
  return auditEvent({
    context,
    action,
    resourceType: 'user',
    resourceId: after.id,
    // Event ids are made of this id and the revision. A user who is removed and added again begins at revision 1.
    recordId: after.membershipId,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'user.deleted' ? {} : toAudited(after),
  });
}

const toAudited = createProjection<Omit<User, CommonMember>>({
  email: true,
  role: true,
  permissions: true,
  membershipId: false,
});
