import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** Why the platform switched a webhook off: it answered 410. */
export type DisabledReason = 'gone';

/** An address that a tenant's events are sent to. */
export interface Webhook {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly url: string;
  /** Types, families (`survey.*`) or `*`. */
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  /** Undefined when it is active, and when the tenant itself has it off. */
  readonly disabledReason: DisabledReason | undefined;
  readonly description: string;
  /** Key of the signatures. */
  readonly secret: EncryptedRecord;
  /** Counts the changes of the record. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The webhook as changed by somebody. */
export function changed(webhook: Webhook, change: Partial<Webhook>, time: Date): Webhook {
  return { ...webhook, ...change, revision: webhook.revision + 1, updatedAt: time };
}
