import { expect, it, vi } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { rememberStatuses } from './remember-statuses.ts';

const tenantId = toTenantId('t1');

it('throws what the store throws for a tenant that was not asked for before', async () => {
  const statusOf = rememberStatuses(() => Promise.reject(new Error('no connection to be had')));
  await expect(Promise.all([statusOf(tenantId), statusOf(tenantId)])).rejects.toThrow('no connection to be had');
});

it('tells what it remembers while the store cannot be asked, and what is new when it can', async () => {
  // The cache takes 0 for no time.
  let time = 1;
  const load = vi.fn(async () => 'active' as 'active' | 'suspended');
  const statusOf = rememberStatuses(load, () => time);
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
