import { AppError } from '@survey/runtime/errors/app-error';
import type { Tenant } from '../tenants/tenant.ts';
import type { TenantStore } from '../tenants/tenant-store.ts';

export function createFakeTenantStore(): Omit<TenantStore, 'findUnfinished'> {
  const tenants = new Map<string, Tenant>();
  return {
    async insert(tenant) {
      if (tenants.has(tenant.id)) throw new AppError('ALREADY_EXISTS');
      tenants.set(tenant.id, tenant);
    },
    find: async (id) => tenants.get(id),
    list: async ({ limit, after = '' }) =>
      [...tenants.values()]
        .filter(({ id }) => id > after)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),
    async replace(before, after) {
      if (tenants.get(before.id)?.revision !== before.revision) return false;
      tenants.set(before.id, after);
      return true;
    },
  };
}
