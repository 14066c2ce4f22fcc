import { expect, it, vi } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { cacheStatuses } from './follow-tenants.ts';

const tenantId = toTenantId('t1');

it('throws the error of the store for a tenant that is not cached', async () => {
  const statusOf = cacheStatuses(() => Promise.reject(new Error('no connection to be had')));
  await expect(Promise.all([statusOf(tenantId), statusOf(tenantId)])).rejects.toThrow('no connection to be had');
});

it('returns the cached status while the store fails, and the new one afterwards', async () => {
  // Not 0: the cache takes 0 for a missing time.
  let time = 1;
  const load = vi.fn(async () => 'active' as 'active' | 'suspended');
  const statusOf = cacheStatuses(load, () => time);
  expect([await statusOf(tenantId), await statusOf(tenantId)]).toEqual(['active', 'active']);
  expect(load).toHaveBeenCalledTimes(1);
  time += 1_500;
  load.mockRejectedValueOnce(new Error('away'));
  expect(await statusOf(tenantId)).toBe('active');
  expect(load).toHaveBeenCalledTimes(2);
  time += 1_500;
  load.mockResolvedValue('suspended');
  expect(await statusOf(tenantId)).toBe('suspended');
});
