import type { JsonObject } from '@bufbuild/protobuf';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Actor } from '@survey/runtime/rpc/call-context';
import type { Webhook } from './webhook.ts';

export type WebhookAction = 'webhook.created' | 'webhook.disabled' | 'webhook.deleted';

/** The event of a change, from the webhook before it, if there was one, and as it is, or would be, after it. */
export function webhookEvent(
  by: Actor,
  action: WebhookAction,
  before: Webhook | undefined,
  after: Webhook,
): OutboxEvent {
  return auditEvent({
    by,
    action,
    resourceType: 'webhook',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: action === 'webhook.deleted' ? {} : toAudited(after),
  });
}

/** Without the secret. */
function toAudited({ url, eventTypes, active, disabledReason, description }: Webhook): JsonObject {
  const disabled: JsonObject = disabledReason === undefined ? {} : { disabled_reason: disabledReason };
  return { url, event_types: [...eventTypes], active, description, ...disabled };
}
