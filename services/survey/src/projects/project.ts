import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** A folder for surveys of a tenant. */
export interface Project {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly description: string;
  /** Incremented by each change; part of event ids. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
}
