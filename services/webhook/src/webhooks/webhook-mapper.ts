import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  CreateWebhookRequest,
  SecretRotationSchema,
  UpdateWebhookRequest,
  WebhookSchema,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { HIDDEN_VALUE } from './header-rules.ts';
import type { Rotation } from './secret-rotation.ts';
import { previousAt, type Webhook } from './webhook.ts';
import type { NewWebhook, WebhookChange } from './webhook-service.ts';

export function toNewWebhook(request: CreateWebhookRequest): NewWebhook {
  const {
    url,
    eventTypes,
    surveyIds,
    includeAnswers = false,
    active = true,
    description,
    headers = {},
    secret,
  } = request;
  return { url, eventTypes, surveyIds: toIds(surveyIds), includeAnswers, active, description, headers, secret };
}

/** What the request's mask names; what it names and does not have becomes what it is of a webhook that is made without. */
export function toWebhookChange(request: UpdateWebhookRequest): WebhookChange {
  const asked = new Set(request.updateMask?.paths);
  const { url = '', eventTypes, surveyIds, includeAnswers = false, active = true, description = '', headers } = request;
  return {
    ...(asked.has('url') ? { url } : {}),
    ...(asked.has('event_types') ? { eventTypes } : {}),
    ...(asked.has('survey_ids') ? { surveyIds: toIds(surveyIds) } : {}),
    ...(asked.has('include_answers') ? { includeAnswers } : {}),
    ...(asked.has('active') ? { active } : {}),
    ...(asked.has('description') ? { description } : {}),
    ...(asked.has('headers') ? { headers } : {}),
  };
}

/** Without the secret, which only the answer to the creation has. */
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
    ...(disabledReason === undefined ? {} : { disabledReason }),
    description: webhook.description,
    headers: Object.fromEntries(headers.map(({ name }) => [name, HIDDEN_VALUE])),
    ...(expiresAt === undefined ? {} : { previousSecretExpiresAt: timestampFromDate(expiresAt) }),
    createdAt: timestampFromDate(webhook.createdAt),
    updatedAt: timestampFromDate(webhook.updatedAt),
  } satisfies MessageInitShape<typeof WebhookSchema>;
}

export function toRotationMessage({ webhook, secret, previousExpiresAt }: Rotation) {
  return {
    webhookId: webhook.id,
    secret,
    ...(previousExpiresAt === undefined ? {} : { previousSecretExpiresAt: timestampFromDate(previousExpiresAt) }),
  } satisfies MessageInitShape<typeof SecretRotationSchema>;
}

/** As events have them. */
function toIds(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
