import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { MessageHandler } from '@survey/runtime/kafka/batch-handler';
import type { Erasure } from '../tenants/tenant-service.ts';
import { type AuditMessage, decodeAuditMessage } from './audit-decoder.ts';
import type { AuditEvent, AuditEventStore } from './audit-event.ts';

interface Dependencies {
  readonly events: Pick<AuditEventStore, 'insertNew'>;
  /** Events of a deleted tenant are dropped, because they would never be erased. */
  readonly isDeleted: (tenantId: TenantId) => Promise<boolean>;
  /** Must be idempotent. */
  readonly recordErasure: (erasure: Erasure) => Promise<void>;
}

/** Stores changes from all services, and records erasures of deleted tenants. */
export function createAuditIntake({ events, isDeleted, recordErasure }: Dependencies): MessageHandler<AuditMessage> {
  async function changesToStore(messages: readonly AuditMessage[]): Promise<readonly AuditEvent[]> {
    const changes: AuditEvent[] = [];
    for (const message of messages) {
      if (message.kind === 'change' && !(await isDeleted(message.event.tenantId))) changes.push(message.event);
    }
    return changes;
  }

  return {
    decode: decodeAuditMessage,
    async handle(messages) {
      await events.insertNew(await changesToStore(messages));
      for (const message of messages) if (message.kind === 'erasure') await recordErasure(message.erasure);
    },
  };
}
