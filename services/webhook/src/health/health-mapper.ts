import {
  GetWebhookHealthResponseSchema,
  WebhookActivitySchema,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Health } from './health-service.ts';

export function toHealthMessage({ lastHour, lastDay, ...health }: Health) {
  return toMessageFields(GetWebhookHealthResponseSchema, {
    ...health,
    lastHour: toMessageFields(WebhookActivitySchema, lastHour),
    lastDay: toMessageFields(WebhookActivitySchema, lastDay),
  });
}
