import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EventMessage } from '@survey/runtime/kafka/event-message';
import { type OccurredEvent, readEvent } from '@survey/runtime/kafka/read-event';
import type { AuditChange, AuditEvent } from './audit-event.ts';

/** What comes by the topic of audit events: changes of records, and services that are done with a deleted tenant. */
export type AuditMessage =
  | { readonly kind: 'change'; readonly event: AuditEvent }
  | { readonly kind: 'erasure'; readonly erasure: Erasure };

/** A service has destroyed everything that it had of a tenant. */
export interface Erasure {
  readonly tenantId: TenantId;
  readonly service: string;
}

/** Throws when the message is no event of these, or lacks what one has. */
export function decodeAuditMessage(message: Pick<EventMessage, 'value' | 'headers'>): AuditMessage {
  const event = readEvent(message);
  if (event.type.startsWith('audit.')) return { kind: 'change', event: toAuditEvent(event) };
  if (event.type === 'tenant.erased') return { kind: 'erasure', erasure: toErasure(event) };
  throw new Error(`events of type ${event.type} do not belong here`);
}

function toAuditEvent({ id, tenantId, time, data }: OccurredEvent): AuditEvent {
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

function toErasure({ tenantId, data }: OccurredEvent): Erasure {
  return { tenantId, service: textOf(data, 'service') };
}

function toChanges(changes: JsonValue | undefined): readonly AuditChange[] {
  if (!Array.isArray(changes)) throw new Error('changes has to be an array');
  return changes.map((change) => {
    if (typeof change !== 'object' || change === null || Array.isArray(change)) {
      throw new Error('a change has to be an object');
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
  if (typeof value !== 'string') throw new Error(`${name} has to be a string`);
  return value;
}
