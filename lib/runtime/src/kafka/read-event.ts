import { fromBinary, type JsonObject } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import type { EventMessage } from './event-message.ts';

/** An event for consumers. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly tenantId: TenantId;
  readonly time: Date;
  readonly data: JsonObject;
  /** W3C trace context; empty if there is none. */
  readonly traceparent: string;
}

/** Decodes the event of a message. Throws if it is unreadable or incomplete. */
export function readEvent({ value, headers }: Pick<EventMessage, 'value' | 'headers'>): ReceivedEvent {
  const { id, type, tenantId, time, data = {}, traceparent } = fromBinary(EventSchema, value);
  if (id === '' || type === '' || tenantId === '' || time === undefined) {
    throw new Error('the event lacks its id, type, tenant or time');
  }
  const occurredAt = timestampDate(time);
  if (Number.isNaN(occurredAt.getTime())) throw new Error('the time of the event is out of range');
  // The headers have the latest span of the trace; the event has only the first one.
  const latest = headers['traceparent'] ?? traceparent;
  return { id, type, tenantId: toTenantId(tenantId), time: occurredAt, data, traceparent: latest };
}
