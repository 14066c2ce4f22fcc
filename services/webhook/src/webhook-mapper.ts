import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  AttemptRequestSchema,
  type CreateWebhookRequest,
  DeliveryAttemptSchema,
  DeliverySchema,
  type EventTypeSchema,
  GetWebhookHealthResponseSchema,
  type ListDeliveriesRequest,
  ReplaySchema,
  type ReplayWebhookRequest,
  SecretRotationSchema,
  type UpdateWebhookRequest,
  WebhookActivitySchema,
  WebhookSchema,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { type CompleteFields, pickMasked, toMessageFields } from '@survey/runtime/rpc/message-fields';
import { type Attempt, deliveryStatuses, toPayload } from './deliveries/delivery.ts';
import type { DeliveryFilter, ShownDelivery } from './deliveries/delivery-service.ts';
import { toShownHeaders } from './deliveries/post-delivery.ts';
import type { EventType } from './events/event-type.ts';
import type { WebhookHealth } from './health/health-service.ts';
import { type Replay, type RequestedReplay, replayableStatuses } from './replays/replay-service.ts';
import { previousSecretAt, type Webhook, type WebhookSettings } from './webhooks/webhook.ts';
import { HIDDEN_VALUE } from './webhooks/webhook-headers.ts';
import type { Rotation } from './webhooks/webhook-secret.ts';
import type { NewWebhook, WebhookChange } from './webhooks/webhook-service.ts';

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

/** Maps a webhook without its secret. */
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

export function toDeliveryFilter(request: ListDeliveriesRequest): DeliveryFilter {
  const { webhookId, status, eventType, since, until, failedForGood, retrying } = request;
  return {
    webhookId,
    status: deliveryStatuses.find((known) => known === status),
    eventType,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    failedForGood,
    retrying,
  };
}

/** @param headerPrefix prefix of the headers of the platform */
export function toDeliveryMessage({ delivery, payload, attempts }: ShownDelivery, headerPrefix: string) {
  return toMessageFields(DeliverySchema, {
    ...delivery,
    payload,
    attempts: attempts.map(({ attempt, reply }) =>
      toMessageFields(DeliveryAttemptSchema, {
        ...attempt,
        contentType: reply?.contentType,
        responseExcerpt: reply?.excerpt,
        request: toRequestMessage(attempt, delivery.id, headerPrefix),
      }),
    ),
  });
}

function toRequestMessage({ request }: Attempt, deliveryId: string, headerPrefix: string) {
  if (request === undefined) return undefined;
  const headers = toShownHeaders(headerPrefix, deliveryId, request);
  return toMessageFields(AttemptRequestSchema, { url: request.url, headers });
}

const EXAMPLE_DELIVERY_ID = '0198c0de-5a1e-7000-8000-00000000000f';
const EXAMPLE_TIME = new Date('2026-01-31T12:01:31.000Z');

export function toEventTypeMessage({ name, description, schema, example }: EventType) {
  const payload = toPayload({ type: name, data: example }, EXAMPLE_DELIVERY_ID, EXAMPLE_TIME);
  return { name, description, schema, example: payload } satisfies CompleteFields<typeof EventTypeSchema>;
}

export function toRequestedReplay({ webhookId, since, until, ...request }: ReplayWebhookRequest): RequestedReplay {
  const statuses = replayableStatuses.filter((status) => request.statuses.includes(status));
  return {
    webhookId,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    statuses: statuses.length === 0 ? ['failed'] : statuses,
    eventTypes: request.eventTypes,
  };
}

export function toReplayMessage({ filter, ...replay }: Replay) {
  return toMessageFields(ReplaySchema, { ...replay, ...filter });
}

export function toHealthMessage({ lastHour, lastDay, ...health }: WebhookHealth) {
  return toMessageFields(GetWebhookHealthResponseSchema, {
    ...health,
    lastHour: toMessageFields(WebhookActivitySchema, lastHour),
    lastDay: toMessageFields(WebhookActivitySchema, lastDay),
  });
}
