import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { toDatabaseAppError } from '@survey/runtime/mongo/mongo-errors';
import { expect, it } from 'vitest';
import { newTenant, type Tenant } from '../tenants/tenant.ts';
import type { TenantStore } from '../tenants/tenant-store.ts';

/** The tests of every tenant store. `getStore` is called when the tests run. */
export function itKeepsTenants(getStore: () => Omit<TenantStore, 'findUnfinished'>): void {
  const anyTenant = () => newTenant(toTenantId(randomUUID()), 'Example', new Date('2026-01-02T03:04:05.678Z'));
  const changed = (tenant: Tenant): Tenant => ({
    ...tenant,
    name: 'New',
    status: 'deleting',
    limits: { requestsPerMinute: 5, concurrentRequests: undefined },
    revision: tenant.revision + 1,
    updatedAt: new Date('2026-02-02T03:04:05.678Z'),
    deletedAt: new Date('2026-02-02T03:04:05.678Z'),
    deletedBy: 'operator',
    erasedBy: ['import'],
  });

  it('finds only the inserted tenant', async () => {
    const [store, tenant] = [getStore(), anyTenant()];
    expect(await store.find(tenant.id)).toBeUndefined();
    await store.insert(tenant);
    await store.insert(anyTenant());
    expect(await store.find(tenant.id)).toEqual(tenant);
  });

  it('lists tenants by id, in pages', async () => {
    const store = getStore();
    const made = [anyTenant(), anyTenant(), anyTenant()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    for (const tenant of made) await store.insert(tenant);
    const [first, second, third] = made;
    // Other tests may have inserted tenants in between.
    const listed = await store.list({ limit: 1000 });
    expect(listed.filter(({ id }) => made.some((tenant) => tenant.id === id))).toEqual(made);
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted());
    const later = await store.list({ limit: 1000, after: first?.id });
    expect(later).toEqual(expect.arrayContaining([second, third]));
    expect(later).not.toContainEqual(first);
    expect(await store.list({ limit: 1, after: second?.id })).toHaveLength(1);
  });

  it('replaces only that tenant', async () => {
    const [store, tenant, other] = [getStore(), anyTenant(), anyTenant()];
    await store.insert(tenant);
    await store.insert(other);
    expect(await store.replace(tenant, changed(tenant), [])).toBe(true);
    expect(await store.find(tenant.id)).toEqual(changed(tenant));
    expect(await store.find(other.id)).toEqual(other);
  });

  it('replaces only the revision that was read, and creates no tenant', async () => {
    const [store, tenant] = [getStore(), anyTenant()];
    expect(await store.replace(tenant, changed(tenant), [])).toBe(false);
    expect(await store.find(tenant.id)).toBeUndefined();
    await store.insert(tenant);
    await store.replace(tenant, changed(tenant), []);
    expect(await store.replace(tenant, { ...changed(tenant), name: 'Late' }, [])).toBe(false);
    expect(await store.find(tenant.id)).toEqual(changed(tenant));
  });

  it('rejects an existing id, and keeps the existing tenant', async () => {
    const [store, tenant] = [getStore(), anyTenant()];
    await store.insert(tenant);
    const code = store.insert({ ...tenant, name: 'Other' }).catch((error) => toDatabaseAppError(error).code);
    expect(await code).toBe('ALREADY_EXISTS');
    expect(await store.find(tenant.id)).toEqual(tenant);
  });
}
