import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { UserService } from '../users/user-service.ts';
import type { Tenant } from './tenant.ts';

/** Where tenants are kept. */
export interface TenantStore {
  insert(tenant: Tenant): Promise<void>;
  activate(id: TenantId): Promise<void>;
  /** The tenant under its new name; undefined when there is none. */
  rename(id: TenantId, name: string): Promise<Tenant | undefined>;
  find(id: TenantId): Promise<Tenant | undefined>;
}

interface Dependencies {
  readonly tenants: TenantStore;
  readonly users: Pick<UserService, 'addOwner'>;
  readonly clock: () => Date;
  readonly newId: () => string;
}

export type TenantService = ReturnType<typeof createTenantService>;

export function createTenantService({ tenants, users, clock, newId }: Dependencies) {
  return {
    /** A tenant with its owner. It becomes active last: what a crash leaves behind before that cannot be used. */
    async create({ name, ownerEmail }: { name: string; ownerEmail: string }) {
      const id = toTenantId(newId());
      await tenants.insert({ id, name, status: 'creating', createdAt: clock() });
      const owner = await users.addOwner(id, ownerEmail);
      await tenants.activate(id);
      return { tenantId: id, userId: owner.id };
    },

    get: async (id: TenantId): Promise<Tenant> => demand(await tenants.find(id)),
    rename: async (id: TenantId, name: string): Promise<Tenant> => demand(await tenants.rename(id, name)),
  };
}

function demand(tenant: Tenant | undefined): Tenant {
  if (tenant === undefined) throw new AppError('TENANT_NOT_FOUND');
  return tenant;
}
