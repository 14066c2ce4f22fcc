import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { EventMessage } from '@survey/runtime/kafka/event-message';
import { type OccurredEvent, toCanonicalJson } from './delivery.ts';

/** Throws when the message is no event, or one that could not be sent as JSON. */
export function decodeEvent({ value, headers }: Pick<EventMessage, 'value' | 'headers'>): OccurredEvent {
  const { id, type, tenantId, time, data = {}, traceparent } = fromBinary(EventSchema, value);
  if (id === '' || type === '' || tenantId === '' || time === undefined) {
    throw new Error('the event lacks its id, type, tenant or time');
  }
  const occurredAt = timestampDate(time);
  if (Number.isNaN(occurredAt.getTime())) throw new Error('the time of the event is out of range');
  toCanonicalJson(data);
  // On its way it went through spans that the event itself does not know.
  const latest = headers['traceparent'] ?? traceparent;
  return { id, type, tenantId: toTenantId(tenantId), time: occurredAt, data, traceparent: latest };
}
