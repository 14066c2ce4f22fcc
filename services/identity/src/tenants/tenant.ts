import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** A customer of the platform. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  /** `creating` until the first owner is there; only the tokens of an `active` tenant are worth anything. */
  readonly status: 'creating' | 'active';
  readonly createdAt: Date;
}
