import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { fromMongoError } from '@survey/runtime/mongo/mongo-errors';
import { expect, it } from 'vitest';
import type { Tenant } from '../tenants/tenant.ts';
import type { TenantStore } from '../tenants/tenant-service.ts';

/**
 * The tests that every store of tenants has to pass.
 *
 * @param getStore the store, which is there when the tests run
 */
export function itKeepsTenants(getStore: () => TenantStore): void {
  const newTenant = (): Tenant => {
    const [id, createdAt] = [toTenantId(randomUUID()), new Date('2026-01-02T03:04:05.678Z')];
    return { id, name: 'Example', status: 'creating', createdAt };
  };

  it('finds a tenant as it was inserted, and no other', async () => {
    const [store, tenant] = [getStore(), newTenant()];
    expect(await store.find(tenant.id)).toBeUndefined();
    await store.insert(tenant);
    await store.insert(newTenant());
    expect(await store.find(tenant.id)).toEqual(tenant);
  });

  it('activates that tenant alone', async () => {
    const [store, tenant, other] = [getStore(), newTenant(), newTenant()];
    await store.insert(tenant);
    await store.insert(other);
    await store.activate(tenant.id);
    expect(await store.find(tenant.id)).toEqual({ ...tenant, status: 'active' });
    expect(await store.find(other.id)).toEqual(other);
  });

  it('makes no tenant by activating one that there is not', async () => {
    const [store, { id }] = [getStore(), newTenant()];
    await store.activate(id);
    expect(await store.find(id)).toBeUndefined();
  });

  it('renames that tenant alone, and none that there is not', async () => {
    const [store, tenant, other] = [getStore(), newTenant(), newTenant()];
    await store.insert(tenant);
    await store.insert(other);
    expect(await store.rename(tenant.id, 'New')).toEqual({ ...tenant, name: 'New' });
    expect(await store.find(tenant.id)).toEqual({ ...tenant, name: 'New' });
    expect(await store.find(other.id)).toEqual(other);
    const { id } = newTenant();
    expect([await store.rename(id, 'New'), await store.find(id)]).toEqual([undefined, undefined]);
  });

  it('refuses an id that is taken, and leaves the tenant that has it', async () => {
    const [store, tenant] = [getStore(), newTenant()];
    await store.insert(tenant);
    const reason = store
      .insert({ ...tenant, name: 'Other' })
      .catch((error) => (fromMongoError(error) ?? toAppError(error)).reason);
    expect(await reason).toBe('ALREADY_EXISTS');
    expect(await store.find(tenant.id)).toEqual(tenant);
  });
}
