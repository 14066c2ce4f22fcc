import type { TenantId } from '@survey/runtime/auth/tenant-id';

/**
 * `creating` until the owner is stored. `suspended` until operators resume it. `deleting` while services erase its
 * data, `deleted` when all have. Only tokens of an `active` tenant are accepted.
 */
export type TenantStatus = 'creating' | 'active' | 'suspended' | 'deleting' | 'deleted';

/** The limits of a tenant; undefined means the platform's limit. */
export interface TenantLimits {
  readonly requestsPerMinute: number | undefined;
  readonly concurrentRequests: number | undefined;
}

/** A customer of the platform. Of a deleted tenant only this record remains, with an empty name. */
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

/** The limits of a tenant that has none of its own: those of the platform apply. */
export const NO_OWN_LIMITS: TenantLimits = { requestsPerMinute: undefined, concurrentRequests: undefined };
