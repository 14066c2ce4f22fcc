import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { timestampDate, ValueSchema } from '@bufbuild/protobuf/wkt';
import {
  AuditEventSchema,
  AuditService,
  type ListAuditEventsRequest,
} from '@survey/proto/survey/identity/v1/audit_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { AuditChange, AuditEvent, AuditEventStore, AuditQuery } from './audit-event-store.ts';

export function createAuditHandler(events: Pick<AuditEventStore, 'list'>) {
  return implement(AuditService, {
    async listAuditEvents(request, context) {
      const { items, nextCursor } = await events.list(tenantCallOf(context).tenantId, fromListMessage(request));
      return { auditEvents: items.map(toAuditEventMessage), nextCursor: nextCursor ?? '' };
    },
  });
}

function fromListMessage({ since, until, ...rest }: ListAuditEventsRequest): AuditQuery {
  const { actor, action, resourceType, resourceId } = rest;
  const times = { since: since && timestampDate(since), until: until && timestampDate(until) };
  return { ...toPageQuery(rest), actor, action, resourceType, resourceId, ...times };
}

function toAuditEventMessage(event: AuditEvent) {
  return toMessageFields(AuditEventSchema, { ...event, changes: event.changes.map(toChangeMessage) });
}

function toChangeMessage({ path, before, after }: AuditChange) {
  return { path, before: toValueMessage(before), after: toValueMessage(after) };
}

function toValueMessage(value: JsonValue | undefined) {
  return value === undefined ? undefined : fromJson(ValueSchema, value);
}
