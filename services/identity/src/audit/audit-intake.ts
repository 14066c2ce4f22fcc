import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { MessageHandler } from '@survey/runtime/kafka/batch-handler';
import { type EventMessage, type ReceivedEvent, readEvent } from '@survey/runtime/kafka/event-message';
import type { Erasure } from '../tenants/tenant-service.ts';
import type { AuditChange, AuditEvent, AuditEventStore } from './audit-event-store.ts';

interface Dependencies {
  readonly events: Pick<AuditEventStore, 'insertNew'>;
  /** Events of a deleted tenant are dropped, because they would never be erased. */
  readonly isDeleted: (tenantId: TenantId) => Promise<boolean>;
  /** Must be idempotent. */
  readonly recordErasure: (erasure: Erasure) => Promise<void>;
}

/** Stores audit events of all services, and records erasures of deleted tenants. */
export function createAuditIntake({ events, isDeleted, recordErasure }: Dependencies): MessageHandler<AuditMessage> {
  async function eventsToStore(messages: readonly AuditMessage[]): Promise<readonly AuditEvent[]> {
    const toStore: AuditEvent[] = [];
    for (const message of messages) {
      if (message.kind === 'audit' && !(await isDeleted(message.event.tenantId))) toStore.push(message.event);
    }
    return toStore;
  }

  return {
    decode: decodeAuditMessage,
    async handle(messages) {
      await events.insertNew(await eventsToStore(messages));
      for (const message of messages) if (message.kind === 'erasure') await recordErasure(message.erasure);
    },
  };
}

/** A message of the audit topic: a changed record, or a report that a service has erased a deleted tenant's data. */
export type AuditMessage =
  | { readonly kind: 'audit'; readonly event: AuditEvent }
  | { readonly kind: 'erasure'; readonly erasure: Erasure };

/** Throws for other events and malformed messages. */
export function decodeAuditMessage(message: Pick<EventMessage, 'value' | 'headers'>): AuditMessage {
  const event = readEvent(message);
  if (event.type.startsWith('audit.')) return { kind: 'audit', event: toAuditEvent(event) };
  if (event.type === 'tenant.erased') return { kind: 'erasure', erasure: toErasure(event) };
  throw new Error(`unexpected event type ${event.type}`);
}

function toAuditEvent({ id, tenantId, time, data }: ReceivedEvent): AuditEvent {
  return {
    id,
    tenantId,
    action: textOf(data, 'action'),
    actor: textOf(data, 'actor'),
    resourceType: textOf(data, 'resource_type'),
    resourceId: textOf(data, 'resource_id'),
    requestId: textOf(data, 'request_id'),
    changes: toChanges(data['changes']),
    createdAt: time,
  };
}

function toErasure({ tenantId, data }: ReceivedEvent): Erasure {
  return { tenantId, service: textOf(data, 'service') };
}

function toChanges(changes: JsonValue | undefined): readonly AuditChange[] {
  if (!Array.isArray(changes)) throw new Error('changes must be an array');
  return changes.map((change) => {
    if (typeof change !== 'object' || change === null || Array.isArray(change)) {
      throw new Error('a change must be an object');
    }
    const { before, after } = change;
    return {
      path: textOf(change, 'path'),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
  });
}

function textOf(data: JsonObject, name: string): string {
  const value = data[name];
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}
