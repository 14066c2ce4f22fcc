import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { createFakeTenantStore } from '../testing/fake-tenant-store.ts';
import { createTenantService, type TenantStore } from './tenant-service.ts';

const id = toTenantId('t');

const createService = (tenants: TenantStore, addOwner: () => Promise<{ readonly id: string }>) =>
  createTenantService({
    tenants,
    users: {
      addOwner: async (tenantId, email) => ({
        id: (await addOwner()).id,
        tenantId,
        email,
        role: 'owner' as const,
        permissions: [],
        revision: 1,
        createdAt: new Date(0),
        updatedAt: new Date(0),
      }),
    },
    clock: () => new Date(0),
    newId: () => id,
  });

describe('a new tenant', () => {
  it('is active once it has its owner', async () => {
    const tenants = createFakeTenantStore();
    let statusBefore: string | undefined;
    const service = createService(tenants, async () => {
      statusBefore = (await tenants.find(id))?.status;
      return { id: 'u' };
    });
    expect(await service.create({ name: 'T', ownerEmail: 'o@example.org' })).toEqual({ tenantId: id, userId: 'u' });
    expect([statusBefore, (await service.get(id)).status]).toEqual(['creating', 'active']);
  });

  it('cannot be used when making its owner fails', async () => {
    const tenants = createFakeTenantStore();
    const service = createService(tenants, () => Promise.reject(new Error('away')));
    await expect(service.create({ name: 'T', ownerEmail: 'o@example.org' })).rejects.toThrow('away');
    expect((await tenants.find(id))?.status).toBe('creating');
  });
});
