import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WebhookSchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { Webhook } from './webhook.ts';

/** Without the secret, which only the answer to the creation has. */
export function toWebhookMessage(webhook: Webhook) {
  const { disabledReason } = webhook;
  return {
    id: webhook.id,
    tenantId: webhook.tenantId,
    url: webhook.url,
    eventTypes: [...webhook.eventTypes],
    active: webhook.active,
    ...(disabledReason === undefined ? {} : { disabledReason }),
    description: webhook.description,
    createdAt: timestampFromDate(webhook.createdAt),
    updatedAt: timestampFromDate(webhook.updatedAt),
  } satisfies MessageInitShape<typeof WebhookSchema>;
}
