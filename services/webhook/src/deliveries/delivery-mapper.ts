import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { DeliverySchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { Attempt, Delivery } from './delivery.ts';

export function toDeliveryMessage(delivery: Delivery): MessageInitShape<typeof DeliverySchema> {
  const { createdAt, nextAttemptAt, failureReason } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventType: delivery.eventType,
    payload: JSON.parse(Buffer.from(delivery.body).toString()),
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
    startedAt: timestampFromDate(startedAt),
    durationMs: attempt.durationMs,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(responseExcerpt === undefined ? {} : { responseExcerpt }),
    ...(error === undefined ? {} : { error }),
  };
}
