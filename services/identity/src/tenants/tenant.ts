import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';

/**
 * `creating` until the owner is stored. `suspended` until operators resume it. `deleting` while services erase its
 * data, `deleted` when all services have erased it. Only tokens of an `active` tenant are accepted.
 */
export type TenantStatus = 'creating' | 'active' | 'suspended' | 'deleting' | 'deleted';

/** The limits of a tenant; undefined means the platform's limit. */
export interface TenantLimits {
  readonly requestsPerMinute: number | undefined;
  readonly concurrentRequests: number | undefined;
}

/** A customer of the platform. Only this record remains of a deleted tenant, with an empty name. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly status: TenantStatus;
  readonly limits: TenantLimits;
  /** Incremented by each change. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | undefined;
  /** The user, or the service that acted for an operator. */
  readonly deletedBy: string | undefined;
  /** The services that have erased the deleted tenant, sorted. */
  readonly erasedBy: readonly string[];
}

const NO_OWN_LIMITS: TenantLimits = { requestsPerMinute: undefined, concurrentRequests: undefined };

// Functions that change a tenant return the same object if nothing changes.

/** Creates a tenant without an owner. */
export function newTenant(id: TenantId, name: string, time: Date): Tenant {
  return {
    id,
    name,
    status: 'creating',
    limits: NO_OWN_LIMITS,
    revision: 1,
    createdAt: time,
    updatedAt: time,
    deletedAt: undefined,
    deletedBy: undefined,
    erasedBy: [],
  };
}

/** Activates a tenant, which now has its owner. */
export function activate(tenant: Tenant, time: Date): Tenant {
  return move(tenant, { from: 'creating', to: 'active' }, time);
}

/** Renames a tenant. Throws `TENANT_NOT_FOUND` unless it is active. */
export function rename(tenant: Tenant, name: string, time: Date): Tenant {
  if (tenant.status !== 'active') throw new AppError('TENANT_NOT_FOUND');
  return name === tenant.name ? tenant : changed(tenant, { name }, time);
}

/** Replaces the limits. Throws `STATE_CONFLICT` unless the tenant is active or suspended. */
export function setLimits(tenant: Tenant, limits: TenantLimits, time: Date): Tenant {
  if (tenant.status !== 'active' && tenant.status !== 'suspended') throw conflict(tenant);
  return isDeepStrictEqual(limits, tenant.limits) ? tenant : changed(tenant, { limits }, time);
}

/** Suspends a tenant, which then has no access. Throws `STATE_CONFLICT` unless it is active. */
export function suspend(tenant: Tenant, time: Date): Tenant {
  return move(tenant, { from: 'active', to: 'suspended' }, time);
}

/** Resumes a tenant. Throws `STATE_CONFLICT` unless it is suspended. */
export function resume(tenant: Tenant, time: Date): Tenant {
  return move(tenant, { from: 'suspended', to: 'active' }, time);
}

/** Starts the irreversible deletion. Each repetition sends the event again, for services that still have data. */
export function remove(tenant: Tenant, actor: string, time: Date): Tenant {
  if (tenant.status === 'deleted') return tenant;
  const { deletedAt = time, deletedBy = actor } = tenant;
  return changed(tenant, { status: 'deleting', deletedAt, deletedBy }, time);
}

/** Deletes a tenant whose creation was interrupted. Does nothing if the creation was completed. */
export function removeUnfinished(tenant: Tenant, actor: string, time: Date): Tenant {
  return tenant.status === 'creating' ? remove(tenant, actor, time) : tenant;
}

/** Records that a service has erased its data. The last erasure makes the tenant `deleted`, without name and limits. */
export function recordErasure(tenant: Tenant, service: string, services: readonly string[], time: Date): Tenant {
  if (tenant.status !== 'deleting' || tenant.erasedBy.includes(service)) return tenant;
  const erasedBy = [...tenant.erasedBy, service].sort();
  const isErasedByAll = services.every((name) => erasedBy.includes(name));
  const erased = isErasedByAll ? ({ status: 'deleted', name: '', limits: NO_OWN_LIMITS } as const) : {};
  return changed(tenant, { erasedBy, ...erased }, time);
}

/** Whether the tenant is deleted, even while services still erase its data. */
export function isDeletedOrDeleting({ status }: Tenant): boolean {
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
