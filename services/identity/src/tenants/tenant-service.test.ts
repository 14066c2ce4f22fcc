import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { createFakeTenantStore } from '../testing/fake-tenant-store.ts';
import { createTenantService } from './tenant-service.ts';
import type { TenantStore } from './tenant-store.ts';

const id = toTenantId('t');
const operator = { actor: 'operator', requestId: 'r', traceparent: '' };
const by = { ...operator, tenantId: id };
const wanted = { name: 'T', ownerEmail: 'o@example.org' };

const createService = (
  tenants: Omit<TenantStore, 'findUnfinished'>,
  addOwner: () => Promise<{ readonly id: string }> = async () => ({ id: 'u' }),
) =>
  createTenantService({
    tenants,
    users: {
      addOwner: async ({ tenantId }, email) => ({
        id: (await addOwner()).id,
        membershipId: 'm',
        tenantId,
        email,
        role: 'owner' as const,
        permissions: [],
        revision: 1,
        createdAt: new Date(0),
        updatedAt: new Date(0),
      }),
    },
    services: ['import', 'survey'],
    clock: () => new Date(0),
    newId: () => id,
  });

describe('a new tenant', () => {
  it('is active when it has its owner', async () => {
    const tenants = createFakeTenantStore();
    let statusBefore: string | undefined;
    const service = createService(tenants, async () => {
      statusBefore = (await tenants.find(id))?.status;
      return { id: 'u' };
    });
    expect(await service.create(operator, wanted)).toEqual({ tenantId: id, userId: 'u' });
    expect([statusBefore, (await service.get(id)).status]).toEqual(['creating', 'active']);
  });

  it('cannot be used if creating its owner fails', async () => {
    const tenants = createFakeTenantStore();
    const service = createService(tenants, () => Promise.reject(new Error('unavailable')));
    await expect(service.create(operator, wanted)).rejects.toThrow('unavailable');
    expect((await tenants.find(id))?.status).toBe('creating');
  });
});

describe('a deleted tenant', () => {
  it('is erased when each service has reported its erasure, with repeated reports', async () => {
    const service = createService(createFakeTenantStore());
    await service.create(operator, wanted);
    await service.remove(by);
    await service.recordErasure({ tenantId: id, service: 'survey' });
    await service.recordErasure({ tenantId: id, service: 'survey' });
    expect(await service.get(id)).toMatchObject({ status: 'deleting', name: 'T', erasedBy: ['survey'] });
    await service.recordErasure({ tenantId: id, service: 'import' });
    const gone = await service.get(id);
    expect(gone).toMatchObject({ status: 'deleted', name: '', erasedBy: ['import', 'survey'] });
    await service.recordErasure({ tenantId: id, service: 'import' });
    expect(await service.get(id)).toEqual(gone);
  });

  it('is not erased if it is unknown or not deleted', async () => {
    const service = createService(createFakeTenantStore());
    await service.recordErasure({ tenantId: id, service: 'survey' });
    await service.create(operator, wanted);
    const before = await service.get(id);
    await service.recordErasure({ tenantId: id, service: 'survey' });
    expect(await service.get(id)).toEqual(before);
  });
});

describe('a change', () => {
  it('is retried with the current state after a concurrent change', async () => {
    const tenants = createFakeTenantStore();
    const service = createService(tenants);
    await service.create(operator, wanted);
    let overtaken = false;
    const racing = createService({
      ...tenants,
      async replace(before, after, events) {
        if (!overtaken) {
          overtaken = true;
          await service.change(by, { name: 'Other' }, undefined);
        }
        return tenants.replace(before, after, events);
      },
    });
    expect(await racing.suspend(by)).toMatchObject({ status: 'suspended', name: 'Other', revision: 4 });
  });
});
