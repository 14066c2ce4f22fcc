import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page } from '@survey/runtime/mongo/page';
import type { TenantStore } from '../tenants/tenant-service.ts';
import { checkWithin, toPermissions } from './granting.ts';
import type { Role } from './roles.ts';
import { grantsOf, type User } from './user.ts';

/** What became of a write that is only made to the revision that was read, and leaves the tenant an owner. */
export type WriteOutcome = 'done' | 'outdated' | 'last-owner';

/** Where users are kept. */
export interface UserStore {
  /** Throws `ALREADY_EXISTS` when the tenant has a user with this e-mail address or id. */
  insert(user: User): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<User | undefined>;
  list(tenantId: TenantId, query: ListQuery): Promise<Page<User>>;
  /** Throws `ALREADY_EXISTS` when the tenant has another user with this e-mail address. */
  replace(before: User, after: User): Promise<WriteOutcome>;
  remove(user: User): Promise<WriteOutcome>;
}

export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface NewUser {
  /** A new one is made when it is absent. */
  readonly id?: string | undefined;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly string[];
}

export type UserChange = Partial<Omit<NewUser, 'id'>>;

/** For whom users are changed. */
export interface Granter {
  readonly tenantId: TenantId;
  readonly permissions: ReadonlySet<string>;
}

interface Dependencies {
  readonly users: UserStore;
  readonly tenants: TenantStore;
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

  function toUser(tenantId: TenantId, { id = newId(), email, role, permissions }: NewUser): User {
    const time = clock();
    return {
      id,
      tenantId,
      email: email.trim(),
      role,
      permissions: toPermissions(permissions),
      revision: 1,
      createdAt: time,
      updatedAt: time,
    };
  }

  async function insert(user: User): Promise<User> {
    await users.insert(user);
    return user;
  }

  return {
    get,

    /** The first user of a tenant that is being made. */
    addOwner: (tenantId: TenantId, email: string) =>
      insert(toUser(tenantId, { email, role: 'owner', permissions: [] })),

    /** What an operator adds, who may give anything. */
    async add(tenantId: TenantId, given: NewUser): Promise<User> {
      await checkActive(tenantId);
      return insert(toUser(tenantId, given));
    },

    list: (tenantId: TenantId, query: ListQuery) => users.list(tenantId, query),

    async create({ tenantId, permissions }: Granter, given: NewUser): Promise<User> {
      const user = toUser(tenantId, given);
      checkWithin(permissions, grantsOf(user).permissions);
      return insert(user);
    },

    async change({ tenantId, permissions }: Granter, id: string, change: UserChange): Promise<User> {
      const before = await get(tenantId, id);
      if (Object.keys(change).length === 0) return before;
      const after: User = {
        ...before,
        ...change,
        permissions: toPermissions(change.permissions ?? before.permissions),
        revision: before.revision + 1,
        updatedAt: clock(),
      };
      checkWithin(permissions, grantsOf(before).permissions);
      checkWithin(permissions, grantsOf(after).permissions);
      demandDone(await users.replace(before, after));
      return after;
    },

    async remove({ tenantId, permissions }: Granter, id: string): Promise<void> {
      const user = await get(tenantId, id);
      checkWithin(permissions, grantsOf(user).permissions);
      demandDone(await users.remove(user));
    },

    /** A user of an active tenant, the only ones who may do anything. */
    async getActive(tenantId: TenantId, id: string): Promise<User> {
      await checkActive(tenantId);
      return get(tenantId, id);
    },
  };
}

function demandDone(outcome: WriteOutcome): void {
  if (outcome === 'last-owner') throw new AppError('LAST_OWNER');
  if (outcome === 'outdated') throw new AppError('VERSION_CONFLICT');
}
