import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { DeliverySchema, ListDeliveriesRequest } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
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

export function toDeliveryMessage({ delivery, payload }: ShownDelivery): MessageInitShape<typeof DeliverySchema> {
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
    ...(failureReason === undefined ? {} : { failureReason }),
  };
}

function toAttemptMessage({ startedAt, statusCode, contentType, responseExcerpt, error, ...attempt }: Attempt) {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: timestampFromDate(startedAt),
    durationMs: attempt.durationMs,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(responseExcerpt === undefined ? {} : { responseExcerpt }),
    ...(error === undefined ? {} : { error }),
  };
}
