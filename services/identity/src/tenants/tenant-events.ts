import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Tenant, TenantLimits } from './tenant.ts';
import { isDeleted } from './tenant-changes.ts';

/** Actions on tenants with the event type for other services. */
const eventOf = {
  'tenant.created': 'tenant.created',
  'tenant.updated': 'tenant.updated',
  'tenant.limits_changed': 'tenant.updated',
  'tenant.suspended': 'tenant.suspended',
  'tenant.resumed': 'tenant.resumed',
  'tenant.deleted': 'tenant.deleted',
} as const satisfies Record<string, string>;

export type TenantAction = keyof typeof eventOf;

/** The events of a change: one for other services and, unless the tenant is deleted, one for the audit. */
export function tenantEvents(by: Actor, action: TenantAction, before: Tenant, after: Tenant): readonly OutboxEvent[] {
  const event = tenantEvent(eventOf[action], after, by.traceparent);
  return isDeleted(after) ? [event] : [event, tenantAudit(by, action, before, after)];
}

/** Keep `status` and `revision` compatible with `readTenantState` in lib/runtime, which reads them. */
function tenantEvent(type: string, tenant: Tenant, traceparent: string): OutboxEvent {
  const { id, status, revision, updatedAt } = tenant;
  return makeEvent({
    topic: topics.tenant,
    recordId: id,
    revision,
    type,
    source: '/tenants',
    tenantId: id,
    time: updatedAt,
    data: { status: isDeleted(tenant) ? 'deleted' : status },
    traceparent,
  });
}

function tenantAudit(caller: Actor, action: TenantAction, before: Tenant, after: Tenant): OutboxEvent {
  return auditEvent({
    caller,
    action,
    resourceType: 'tenant',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: toAudited(before),
    after: toAudited(after),
  });
}

/** Empty while the tenant is being created. */
function toAudited(tenant: Tenant): JsonObject {
  return tenant.status === 'creating' ? {} : toSettings(tenant);
}

const toLimits = createProjection<TenantLimits>({ requestsPerMinute: true, concurrentRequests: true });

const toSettings = createProjection<Omit<Tenant, CommonMember>>({
  name: true,
  status: true,
  limits: toLimits,
  // The audit of a deleted tenant is deleted too.
  deletedAt: false,
  deletedBy: false,
  erasedBy: false,
});
