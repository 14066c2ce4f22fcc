import { AppError } from '@survey/runtime/errors/app-error';
import type { Tenant } from '../tenants/tenant.ts';
import type { TenantStore } from '../tenants/tenant-service.ts';

/** Tenants in memory. */
export function createFakeTenantStore(): TenantStore {
  const tenants = new Map<string, Tenant>();
  return {
    async insert(tenant) {
      if (tenants.has(tenant.id)) throw new AppError('ALREADY_EXISTS');
      tenants.set(tenant.id, tenant);
    },
    async activate(id) {
      const tenant = tenants.get(id);
      if (tenant !== undefined) tenants.set(id, { ...tenant, status: 'active' });
    },
    async rename(id, name) {
      const tenant = tenants.get(id);
      if (tenant !== undefined) tenants.set(id, { ...tenant, name });
      return tenants.get(id);
    },
    find: async (id) => tenants.get(id),
  };
}
