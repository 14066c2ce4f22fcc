import type { EventTypeSchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/message-fields';
import { toPayload } from '../deliveries/delivery.ts';
import type { EventType } from '../events/event-type.ts';

const EXAMPLE_DELIVERY_ID = '0198c0de-5a1e-7000-8000-00000000000f';
const EXAMPLE_TIME = new Date('2026-01-31T12:01:31.000Z');

export function toEventTypeMessage({ name, description, schema, example }: EventType) {
  const payload = toPayload({ type: name, data: example }, EXAMPLE_DELIVERY_ID, EXAMPLE_TIME);
  return { name, description, schema, example: payload } satisfies CompleteFields<typeof EventTypeSchema>;
}
