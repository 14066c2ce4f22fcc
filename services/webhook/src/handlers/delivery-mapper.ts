import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  AttemptRequestSchema,
  DeliveryAttemptSchema,
  DeliverySchema,
  type ListDeliveriesRequest,
} from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import { type Attempt, deliveryStatuses } from '../deliveries/delivery.ts';
import type { DeliveryFilter, ShownDelivery } from '../deliveries/delivery-service.ts';
import { toShownHeaders } from '../deliveries/post-delivery.ts';

export function fromFilterMessage(request: ListDeliveriesRequest): DeliveryFilter {
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

/** @param headerPrefix of the platform's headers */
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
