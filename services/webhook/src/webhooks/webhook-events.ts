import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import { makeEvent, type OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { DISABLED_EVENT } from '../events/event-catalog.ts';
import type { DisabledReason, Webhook } from './webhook.ts';

type WebhookAction =
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.secret_rotated'
  | 'webhook.disabled'
  | 'webhook.deleted';

/** Shown in audit events in place of a changed header value or secret. */
const CHANGED = '(changed)';

/** The audit event of a change. @param before undefined for a new webhook */
export function webhookAuditEvent(
  context: ChangeContext,
  action: WebhookAction,
  before: Webhook | undefined,
  after: Webhook,
): OutboxEvent {
  return auditEvent({
    context,
    action,
    resourceType: 'webhook',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'webhook.deleted' ? {} : { ...toAudited(after), ...toMaskedChanges(before, after) },
  });
}

/** The event `webhook.disabled`, for other webhooks of the tenant. */
export function disabledEvent(webhook: Webhook, reason: DisabledReason, traceparent: string): OutboxEvent {
  return makeEvent({
    topic: topics.webhook,
    recordId: webhook.id,
    revision: webhook.revision,
    type: DISABLED_EVENT,
    source: '/webhooks',
    tenantId: webhook.tenantId,
    time: webhook.updatedAt,
    data: { webhook_id: webhook.id, reason },
    traceparent,
  });
}

const toAudited = createProjection<Omit<Webhook, CommonMember>>({
  url: true,
  eventTypes: true,
  surveyIds: true,
  includeAnswers: true,
  active: true,
  description: true,
  headers: (headers) => Object.fromEntries(headers.map(({ name }) => [name, ''])),
  disabledReason: true,
  previousSecret: ['previous_secret_expires_at', (previous) => previous?.expiresAt.toISOString()],
  // Secrets are not audited.
  secret: false,
  rotationId: false,
  // Derived from earlier changes.
  hasIncludedAnswers: false,
});

/** Marks changed header values and secrets, without showing them. */
function toMaskedChanges(before: Webhook | undefined, after: Webhook): JsonObject {
  const isNewSecret = before !== undefined && before.secret !== after.secret;
  // An unchanged header is the same object.
  const headers = after.headers.map((header) => [header.name, before?.headers.includes(header) ? '' : CHANGED]);
  return { headers: Object.fromEntries(headers), ...(isNewSecret ? { secret: CHANGED } : {}) };
}
