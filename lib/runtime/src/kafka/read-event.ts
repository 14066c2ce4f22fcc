import { fromBinary, type JsonObject } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import type { EventMessage } from './event-message.ts';

/** An event as a consumer reads it. */
export interface OccurredEvent {
  readonly id: string;
  readonly type: string;
  readonly tenantId: TenantId;
  readonly time: Date;
  readonly data: JsonObject;
  /** W3C trace context, empty when there is none. */
  readonly traceparent: string;
}

/** The event of a message. Throws when there is none in it, or when it lacks what every event has. */
export function readEvent({ value, headers }: Pick<EventMessage, 'value' | 'headers'>): OccurredEvent {
  const { id, type, tenantId, time, data = {}, traceparent } = fromBinary(EventSchema, value);
  if (id === '' || type === '' || tenantId === '' || time === undefined) {
    throw new Error('the event lacks its id, type, tenant or time');
  }
  const occurredAt = timestampDate(time);
  if (Number.isNaN(occurredAt.getTime())) throw new Error('the time of the event is out of range');
  // On its way it went through spans that the event itself does not know.
  const latest = headers['traceparent'] ?? traceparent;
  return { id, type, tenantId: toTenantId(tenantId), time: occurredAt, data, traceparent: latest };
}
