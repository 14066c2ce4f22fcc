import { fromBinary, type JsonObject } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';

/** A message that was read from Kafka. Usually its value is an event; a dead letter can have any value. */
export interface EventMessage {
  readonly topic: string;
  readonly partition: number;
  /** A 64-bit number in decimal. */
  readonly offset: string;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Publishing time, by the clock of the producer. */
  readonly publishedAt: Date;
}

/** Converts a message. A missing key or value becomes empty. */
export function toEventMessage(topic: string, partition: number, message: KafkaMessage): EventMessage {
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    value: message.value ?? new Uint8Array(),
    headers: toHeaders(message.headers ?? {}),
    publishedAt: new Date(Number(message.timestamp)),
  };
}

/** The last value of a repeated header wins. */
function toHeaders(headers: IHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Fast path: nearly all headers have one value.
    const last = Buffer.isBuffer(value) ? value : valuesOf(value).at(-1);
    if (last !== undefined) texts[name] = last.toString();
  }
  return texts;
}

/** All values of each header, for messages that are sent on unchanged. */
export function toHeaderValues(headers: IHeaders): Record<string, Buffer[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, valuesOf(value)]));
}

/**
 * Returns the values of a header. kafkajs 2.2.4 reads an empty value as null, but cannot send null, so an empty buffer
 * replaces null. To a header named `toString`, kafkajs adds the function `toString`, so functions are left out.
 */
function valuesOf(value: IHeaders[string]): Buffer[] {
  const values: unknown[] = [value].flat();
  return values.filter((one) => one === null || Buffer.isBuffer(one)).map((one) => one ?? Buffer.alloc(0));
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly tenantId: TenantId;
  readonly time: Date;
  readonly data: JsonObject;
  /** W3C trace context; empty if there is none. */
  readonly traceparent: string;
}

/** Decodes the event of a message. Throws if the event is unreadable or incomplete. */
export function readEvent({ value, headers }: Pick<EventMessage, 'value' | 'headers'>): ReceivedEvent {
  const { id, type, tenantId, time, data = {}, traceparent } = fromBinary(EventSchema, value);
  if (id === '' || type === '' || tenantId === '' || time === undefined) {
    throw new Error('the event lacks its id, type, tenant or time');
  }
  const occurredAt = timestampDate(time);
  if (Number.isNaN(occurredAt.getTime())) throw new Error('the time of the event is out of range');
  // The header has the span of the publication. The event has only the span of the change.
  const latest = headers['traceparent'] ?? traceparent;
  return { id, type, tenantId: toTenantId(tenantId), time: occurredAt, data, traceparent: latest };
}
