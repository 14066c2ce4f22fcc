import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { timestampDate, ValueSchema } from '@bufbuild/protobuf/wkt';
import { AuditEventSchema, type ListAuditEventsRequest } from '@survey/proto/survey/identity/v1/audit_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { AuditChange, AuditEvent, AuditQuery } from './audit-event.ts';

export function fromListMessage({ since, until, ...filter }: ListAuditEventsRequest): AuditQuery {
  const { actor, action, resourceType, resourceId } = filter;
  const times = { since: since && timestampDate(since), until: until && timestampDate(until) };
  return { ...toPageQuery(filter), actor, action, resourceType, resourceId, ...times };
}

export function toAuditEventMessage(event: AuditEvent) {
  return toMessageFields(AuditEventSchema, { ...event, changes: event.changes.map(toChangeMessage) });
}

function toChangeMessage({ path, before, after }: AuditChange) {
  return { path, before: toValueMessage(before), after: toValueMessage(after) };
}

function toValueMessage(value: JsonValue | undefined) {
  return value === undefined ? undefined : fromJson(ValueSchema, value);
}
