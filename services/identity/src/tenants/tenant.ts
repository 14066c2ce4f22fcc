import type { TenantId } from '@survey/runtime/auth/tenant-id';

/**
 * `creating` until the first owner is there. `suspended` until operators resume it. `deleting` while services destroy
 * what they have of it, `deleted` when all of them have. Only the tokens of an `active` tenant are worth anything.
 */
export type TenantStatus = 'creating' | 'active' | 'suspended' | 'deleting' | 'deleted';

/** How much a tenant may use of the platform; where nothing is said, as much as any. */
export interface TenantLimits {
  readonly requestsPerMinute: number | undefined;
  readonly concurrentRequests: number | undefined;
}

/** A customer of the platform. Of a deleted one only this record stays, without its name. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly status: TenantStatus;
  readonly limits: TenantLimits;
  /** Counts the changes of the record. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | undefined;
  readonly deletedBy: string | undefined;
  /** Services that have destroyed what they had of the deleted tenant, sorted. */
  readonly erasedBy: readonly string[];
}

/** The limits of a tenant that has none of its own. */
export const NO_LIMITS: TenantLimits = { requestsPerMinute: undefined, concurrentRequests: undefined };
