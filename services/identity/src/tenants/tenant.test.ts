import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import {
  activate,
  newTenant,
  recordErasure,
  remove,
  rename,
  resume,
  setLimits,
  suspend,
  type Tenant,
  type TenantStatus,
} from './tenant.ts';

const time = new Date('2026-02-01T00:00:00Z');
const statuses: readonly TenantStatus[] = ['creating', 'active', 'suspended', 'deleting', 'deleted'];
const tenant = (status: TenantStatus): Tenant => ({
  ...newTenant(toTenantId('t'), 'T', new Date('2026-01-01T00:00:00Z')),
  status,
});

/** The result of a change for each status: the new status, `same`, or the error code. */
function outcomes(change: (tenant: Tenant, time: Date) => Tenant): readonly string[] {
  return statuses.map((status) => {
    const before = tenant(status);
    try {
      const after = change(before, time);
      if (after === before) return 'same';
      expect(after).toMatchObject({ revision: 2, updatedAt: time });
      return after.status;
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
}

const GONE = 'TENANT_NOT_FOUND';
const NO = 'STATE_CONFLICT';

describe('changes of a tenant that is creating, active, suspended, deleting, deleted', () => {
  it.each([
    ['activate', activate, ['active', 'same', NO, NO, NO]],
    ['suspend', suspend, [NO, 'suspended', 'same', NO, NO]],
    ['resume', resume, [NO, 'same', 'active', NO, NO]],
    ['delete', (t: Tenant) => remove(t, 'operator', time), ['deleting', 'deleting', 'deleting', 'deleting', 'same']],
    ['rename', (t: Tenant) => rename(t, 'New', time), [GONE, 'active', GONE, GONE, GONE]],
    ['rename to the same name', (t: Tenant) => rename(t, 'T', time), [GONE, 'same', GONE, GONE, GONE]],
    [
      'limit',
      (t: Tenant) => setLimits(t, { requestsPerMinute: 5, concurrentRequests: undefined }, time),
      [NO, 'active', 'suspended', NO, NO],
    ],
    ['limit as it is', (t: Tenant) => setLimits(t, { ...t.limits }, time), [NO, 'same', 'same', NO, NO]],
    [
      'note an erasure',
      (t: Tenant) => recordErasure(t, 'a', ['a', 'b'], time),
      ['same', 'same', 'same', 'deleting', 'same'],
    ],
    [
      'note the last erasure',
      (t: Tenant) => recordErasure(t, 'a', ['a'], time),
      ['same', 'same', 'same', 'deleted', 'same'],
    ],
  ])('%s', (_case, change, expected) => {
    expect(outcomes(change)).toEqual(expected);
  });
});

describe('a tenant that is deleted again', () => {
  it('keeps the actor and time of the first deletion', () => {
    const first = remove(tenant('active'), 'operator', time);
    expect(first).toMatchObject({ deletedBy: 'operator', deletedAt: time });
    const again = remove(first, 'other', new Date('2026-03-01T00:00:00Z'));
    expect(again).toMatchObject({ deletedBy: 'operator', deletedAt: time, revision: 3 });
  });
});
