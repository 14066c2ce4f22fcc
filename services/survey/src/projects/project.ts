import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** A folder of a tenant that surveys can be in. */
export interface Project {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly description: string;
  /** Counts the changes of the record; its events are named by it. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
}
