import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** An address that a tenant's events are sent to. */
export interface Webhook {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly url: string;
  /** Types, families (`survey.*`) or `*`. */
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly description: string;
  /** Key of the signatures. */
  readonly secret: EncryptedRecord;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
