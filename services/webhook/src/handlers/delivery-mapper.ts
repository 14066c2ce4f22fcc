import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  DeliveryAttemptSchema,
  DeliverySchema,
  ListDeliveriesRequest,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import { type Attempt, deliveryStatuses } from '../deliveries/delivery.ts';
import type { DeliveryFilter, ShownDelivery } from '../deliveries/delivery-service.ts';

export function fromFilterMessage(request: ListDeliveriesRequest): DeliveryFilter {
  const { webhookId, status, eventType, since, until } = request;
  return {
    webhookId,
    status: deliveryStatuses.find((known) => known === status),
    eventType,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
  };
}

export function toDeliveryMessage({ delivery, payload }: ShownDelivery): CompleteFields<typeof DeliverySchema> {
  const { createdAt, nextAttemptAt, failureReason } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    payload,
    status: delivery.status,
    createdAt: timestampFromDate(createdAt),
    attempts: delivery.attempts.map(toAttemptMessage),
    nextAttemptAt: nextAttemptAt && timestampFromDate(nextAttemptAt),
    failureReason,
  };
}

function toAttemptMessage(attempt: Attempt): CompleteFields<typeof DeliveryAttemptSchema> {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: timestampFromDate(attempt.startedAt),
    durationMs: attempt.durationMs,
    statusCode: attempt.statusCode,
    contentType: attempt.contentType,
    responseExcerpt: attempt.responseExcerpt,
    error: attempt.error,
  };
}
