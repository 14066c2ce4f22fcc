import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { NO_LIMITS, type Tenant, type TenantLimits, type TenantStatus } from './tenant.ts';

// Each change gives the tenant itself where it is so already.

/** A tenant that has no owner yet. */
export function newTenant(id: TenantId, name: string, time: Date): Tenant {
  return {
    id,
    name,
    status: 'creating',
    limits: NO_LIMITS,
    revision: 1,
    createdAt: time,
    updatedAt: time,
    deletedAt: undefined,
    deletedBy: undefined,
    erasedBy: [],
  };
}

/** The tenant, which has its owner now, for use. */
export function activate(tenant: Tenant, time: Date): Tenant {
  return move(tenant, { from: 'creating', to: 'active' }, time);
}

/** The tenant under another name. Throws `TENANT_NOT_FOUND` for one whose own users may do nothing. */
export function rename(tenant: Tenant, name: string, time: Date): Tenant {
  if (tenant.status !== 'active') throw new AppError('TENANT_NOT_FOUND');
  return name === tenant.name ? tenant : changed(tenant, { name }, time);
}

/** The tenant with these limits alone. Throws `STATE_CONFLICT` unless it is active or suspended. */
export function limit(tenant: Tenant, limits: TenantLimits, time: Date): Tenant {
  if (tenant.status !== 'active' && tenant.status !== 'suspended') throw conflict(tenant);
  return isDeepStrictEqual(limits, tenant.limits) ? tenant : changed(tenant, { limits }, time);
}

/** The tenant without a right to anything, for now. Throws `STATE_CONFLICT` unless it was active. */
export function suspend(tenant: Tenant, time: Date): Tenant {
  return move(tenant, { from: 'active', to: 'suspended' }, time);
}

/** The tenant with its rights. Throws `STATE_CONFLICT` unless it was suspended. */
export function resume(tenant: Tenant, time: Date): Tenant {
  return move(tenant, { from: 'suspended', to: 'active' }, time);
}

/**
 * The tenant as one that services are to forget. There is no way back. While they are at it, it can be removed again:
 * under the new revision they begin anew, those included that the first one did not reach.
 */
export function remove(tenant: Tenant, actor: string, time: Date): Tenant {
  if (tenant.status === 'deleted') return tenant;
  const { deletedAt = time, deletedBy = actor } = tenant;
  return changed(tenant, { status: 'deleting', deletedAt, deletedBy }, time);
}

/** As `remove`, for a tenant whose creation was interrupted. One that was completed meanwhile stays as it is. */
export function removeUnfinished(tenant: Tenant, actor: string, time: Date): Tenant {
  return tenant.status === 'creating' ? remove(tenant, actor, time) : tenant;
}

/** The tenant after a service has destroyed what it had of it: nothing is left but that there was one after the last. */
export function noteErased(tenant: Tenant, service: string, services: readonly string[], time: Date): Tenant {
  if (tenant.status !== 'deleting' || tenant.erasedBy.includes(service)) return tenant;
  const erasedBy = [...tenant.erasedBy, service].sort();
  const isOver = services.every((one) => erasedBy.includes(one));
  const rest = isOver ? ({ status: 'deleted', name: '', limits: NO_LIMITS } as const) : {};
  return changed(tenant, { erasedBy, ...rest }, time);
}

/** Whether the tenant is deleted, be it that services have not destroyed everything yet. */
export function isDeleted({ status }: Tenant): boolean {
  return status === 'deleting' || status === 'deleted';
}

function move(tenant: Tenant, { from, to }: { from: TenantStatus; to: TenantStatus }, time: Date): Tenant {
  if (tenant.status === to) return tenant;
  if (tenant.status !== from) throw conflict(tenant);
  return changed(tenant, { status: to }, time);
}

function changed(tenant: Tenant, change: Partial<Tenant>, time: Date): Tenant {
  return { ...tenant, ...change, revision: tenant.revision + 1, updatedAt: time };
}

function conflict({ status }: Tenant): AppError {
  return new AppError('STATE_CONFLICT', { detail: `The tenant is ${status}` });
}
