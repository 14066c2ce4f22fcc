import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { TenantStore } from '../tenants/tenant-service.ts';
import { isPermission, type Permission, type Role } from './roles.ts';
import { grantsOf, type User } from './user.ts';

/** Where users are kept. */
export interface UserStore {
  /** Throws `ALREADY_EXISTS` when the tenant has a user with this e-mail address or id. */
  insert(user: User): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<User | undefined>;
}

export interface NewUser {
  readonly tenantId: TenantId;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly string[];
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

  async function insert({ tenantId, email, role, permissions }: NewUser): Promise<User> {
    const user = {
      id: newId(),
      tenantId,
      email: email.trim(),
      role,
      permissions: readPermissions(permissions),
      createdAt: clock(),
    };
    await users.insert(user);
    return user;
  }

  return {
    /** The first user of a tenant that is being made. */
    addOwner: (tenantId: TenantId, email: string) => insert({ tenantId, email, role: 'owner', permissions: [] }),

    async add(user: NewUser): Promise<User> {
      await checkActive(user.tenantId);
      return insert(user);
    },

    /** Role and permissions of a user of an active tenant. */
    async grants(tenantId: TenantId, id: string) {
      await checkActive(tenantId);
      const user = await users.find(tenantId, id);
      if (user === undefined) throw new AppError('USER_NOT_FOUND');
      return grantsOf(user);
    },
  };
}

function readPermissions(given: readonly string[]): readonly Permission[] {
  const errors = given.flatMap((permission, index) =>
    isPermission(permission)
      ? []
      : [{ path: `/permissions/${index}`, code: 'UNKNOWN_PERMISSION', detail: 'There is no such permission' }],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return given.filter(isPermission);
}
