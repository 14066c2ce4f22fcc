import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  DeliveryAttemptSchema,
  DeliverySchema,
  type ListDeliveriesRequest,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import { deliveryStatuses } from '../deliveries/delivery.ts';
import type { DeliveryFilter, ShownDelivery } from '../deliveries/delivery-service.ts';

export function fromFilterMessage(request: ListDeliveriesRequest): DeliveryFilter {
  const { webhookId, status, eventType, since, until, failedForGood } = request;
  return {
    webhookId,
    status: deliveryStatuses.find((known) => known === status),
    eventType,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    failedForGood,
  };
}

export function toDeliveryMessage({ delivery, payload }: ShownDelivery) {
  return toMessageFields(DeliverySchema, {
    ...delivery,
    payload,
    attempts: delivery.attempts.map((attempt) => toMessageFields(DeliveryAttemptSchema, attempt)),
  });
}
