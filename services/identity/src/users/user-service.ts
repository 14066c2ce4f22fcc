import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, changesNothing } from '@survey/runtime/rpc/change-latest';
import { FIRST_REVISION, type IfMatch } from '@survey/runtime/rpc/if-match';
import type { TenantStore } from '../tenants/tenant-service.ts';
import { checkWithin, type Granter, toPermissions } from './granting.ts';
import type { Role } from './roles.ts';
import { changed, grantsOf, type User } from './user.ts';
import { userEvent } from './user-events.ts';

/** What became of a write that is only made to the revision that was read, and leaves the tenant an owner. */
export type WriteOutcome = 'done' | 'outdated' | 'last-owner';

/** Where users are kept. An event goes in with the write that it tells of. */
export interface UserStore {
  /**
   * Gives the user that is stored: a membership that comes again is the one of the first time. Throws `ALREADY_EXISTS`
   * when the tenant has another user with this e-mail address or id.
   */
  insert(user: User, event: OutboxEvent): Promise<User>;
  find(tenantId: TenantId, id: string): Promise<User | undefined>;
  list(tenantId: TenantId, query: PageQuery): Promise<Page<User>>;
  /** Throws `ALREADY_EXISTS` when the tenant has another user with this e-mail address. */
  replace(before: User, after: User, event: OutboxEvent): Promise<WriteOutcome>;
  remove(user: User, event: OutboxEvent): Promise<WriteOutcome>;
}

interface NewUser {
  /** The id of the membership when it is absent. */
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

export function createUserService({ users, tenants, clock, newId }: Dependencies) {
  async function checkActive(tenantId: TenantId): Promise<void> {
    const tenant = await tenants.find(tenantId);
    if (tenant?.status !== 'active') throw new AppError('TENANT_NOT_FOUND');
  }

  async function get(tenantId: TenantId, id: string): Promise<User> {
    const user = await users.find(tenantId, id);
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    return user;
  }

  function toUser(tenantId: TenantId, membershipId: string, { id = membershipId, email, role, permissions }: NewUser) {
    const time = clock();
    const user: User = {
      id,
      membershipId,
      tenantId,
      email: email.trim(),
      role,
      permissions: toPermissions(permissions),
      revision: FIRST_REVISION,
      createdAt: time,
      updatedAt: time,
    };
    return user;
  }

  const insert = (by: Actor, user: User) => users.insert(user, userEvent(by, 'user.created', undefined, user));

  /** The user after a change; undefined when another change was first. */
  async function writeChange(granter: Granter, before: User, change: UserChange): Promise<User | undefined> {
    const fields = { ...change, permissions: toPermissions(change.permissions ?? before.permissions) };
    if (changesNothing(before, fields)) return before;
    const after = changed(before, fields, clock());
    checkWithin(granter.permissions, grantsOf(before).permissions);
    checkWithin(granter.permissions, grantsOf(after).permissions);
    return isDone(await users.replace(before, after, userEvent(granter, 'user.updated', before, after)))
      ? after
      : undefined;
  }

  return {
    get,

    /** The first user of a tenant that is being made. */
    addOwner: (by: Actor, email: string) =>
      insert(by, toUser(by.tenantId, newId(), { email, role: 'owner', permissions: [] })),

    /** What an operator adds, who may give anything. */
    async add(by: Actor, given: NewUser): Promise<User> {
      await checkActive(by.tenantId);
      return insert(by, toUser(by.tenantId, newId(), given));
    },

    list: (tenantId: TenantId, query: PageQuery) => users.list(tenantId, query),

    /** Gives the user of the first time when the membership comes again. */
    async create(granter: Granter, membershipId: string, given: NewUser): Promise<User> {
      const user = toUser(granter.tenantId, membershipId, given);
      checkWithin(granter.permissions, grantsOf(user).permissions);
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
        checkWithin(granter.permissions, grantsOf(user).permissions);
        const event = userEvent(granter, 'user.deleted', user, changed(user, {}, clock()));
        return isDone(await users.remove(user, event)) ? user : undefined;
      };
      await changeLatest({ ifMatch }, { read, write });
    },

    /** A user of an active tenant, the only ones who may do anything. */
    async getActive(tenantId: TenantId, id: string): Promise<User> {
      await checkActive(tenantId);
      return get(tenantId, id);
    },
  };
}

/** Throws `LAST_OWNER`. */
function isDone(outcome: WriteOutcome): boolean {
  if (outcome === 'last-owner') throw new AppError('LAST_OWNER');
  return outcome === 'done';
}
