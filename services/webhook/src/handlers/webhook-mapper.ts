import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  CreateWebhookRequest,
  SecretRotationSchema,
  UpdateWebhookRequest,
  WebhookSchema,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import { pickMasked } from '@survey/runtime/rpc/update-mask';
import { HIDDEN_VALUE } from '../webhooks/header-rules.ts';
import type { Rotation } from '../webhooks/secret-rotation.ts';
import { previousAt, type Webhook, type WebhookSettings } from '../webhooks/webhook.ts';
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
  const { disabledReason, headers } = webhook;
  const expiresAt = previousAt(webhook, now)?.expiresAt;
  return {
    id: webhook.id,
    tenantId: webhook.tenantId,
    url: webhook.url,
    eventTypes: [...webhook.eventTypes],
    surveyIds: [...webhook.surveyIds],
    includeAnswers: webhook.includeAnswers,
    active: webhook.active,
    disabledReason,
    description: webhook.description,
    headers: Object.fromEntries(headers.map(({ name }) => [name, HIDDEN_VALUE])),
    previousSecretExpiresAt: expiresAt && timestampFromDate(expiresAt),
    createdAt: timestampFromDate(webhook.createdAt),
    updatedAt: timestampFromDate(webhook.updatedAt),
  } satisfies Omit<CompleteFields<typeof WebhookSchema>, 'secret'>;
}

export function toRotationMessage({ webhook, secret, previousExpiresAt }: Rotation) {
  return {
    webhookId: webhook.id,
    secret,
    previousSecretExpiresAt: previousExpiresAt && timestampFromDate(previousExpiresAt),
  } satisfies CompleteFields<typeof SecretRotationSchema>;
}
