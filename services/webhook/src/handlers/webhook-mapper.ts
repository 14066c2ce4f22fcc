import {
  type CreateWebhookRequest,
  SecretRotationSchema,
  type UpdateWebhookRequest,
  WebhookSchema,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import { pickMasked } from '@survey/runtime/rpc/update-mask';
import { HIDDEN_VALUE } from '../webhooks/header-rules.ts';
import type { Rotation } from '../webhooks/secret-rotation.ts';
import { previousSecretAt, type Webhook, type WebhookSettings } from '../webhooks/webhook.ts';
import type { NewWebhook, WebhookChange } from '../webhooks/webhook-service.ts';

export function toNewWebhook(request: CreateWebhookRequest): NewWebhook {
  const { headers = {}, secret } = request;
  return { ...toSettings(request), headers, secret };
}

/** The fields in the update mask. A field without a value gets the default of a new webhook. */
export function toWebhookChange(request: UpdateWebhookRequest): WebhookChange {
  const fields: Required<WebhookChange> = { ...toSettings(request), headers: request.headers };
  return pickMasked(fields, request.updateMask);
}

function toSettings(request: CreateWebhookRequest | UpdateWebhookRequest): WebhookSettings {
  const { url = '', eventTypes, surveyIds, includeAnswers = false, active = true, description = '' } = request;
  // Events have survey ids in lower case.
  const ids = new Set(surveyIds.map((id) => id.toLowerCase()));
  return { url, eventTypes, surveyIds: [...ids], includeAnswers, active, description };
}

/** Without the secret, which only the reply to the creation has. */
export function toWebhookMessage(webhook: Webhook, now: Date) {
  return toMessageFields(WebhookSchema, {
    ...webhook,
    secret: undefined,
    headers: Object.fromEntries(webhook.headers.map(({ name }) => [name, HIDDEN_VALUE])),
    previousSecretExpiresAt: previousSecretAt(webhook, now)?.expiresAt,
  });
}

export function toRotationMessage({ webhook, secret, previousExpiresAt }: Rotation) {
  return toMessageFields(SecretRotationSchema, {
    webhookId: webhook.id,
    secret,
    previousSecretExpiresAt: previousExpiresAt,
  });
}
