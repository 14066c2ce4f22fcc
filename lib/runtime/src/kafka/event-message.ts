import { create, fromBinary, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import { Binary } from 'mongodb';
import { parse } from 'uuid';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { uuidOf } from '../crypto/uuid-of.ts';
import type { OutboxEvent } from './outbox-event.ts';

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

export function toHeaderValues(headers: IHeaders): Record<string, Buffer[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, valuesOf(value)]));
}

/**
 * Returns the values of a header. kafkajs 2.2.4 returns null for an empty header, which it cannot send. If the name of a
 * header is a member of `Object.prototype`, such as `toString`, the values include this function.
 */
function valuesOf(value: IHeaders[string]): Buffer[] {
  const values: unknown[] = [value].flat();
  return values.filter((one) => one === null || Buffer.isBuffer(one)).map((one) => one ?? Buffer.alloc(0));
}

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

/** Namespace of event ids (RFC 9562, version 5), generated once. */
const EVENT_IDS = parse('6b0a4f0e-5a0c-4f4e-9a55-0d0f6a3f5c1d');

/** Members of `data` in every event, which order the changes of a record. */
type ChangeMembers = {
  /** Time of the change, RFC 3339. */
  readonly occurred_at: string;
  /** Revision of the record after the change. */
  readonly revision: number;
};

/** An event of a record, stored in the same write as the change. */
export interface NewEvent {
  readonly topic: string;
  /** Id of the record. Its events keep their order, except after `insertWithEvents` (ADR 4). */
  readonly recordId: string;
  /** Revision of the record after the change. The id of the event is made from it, the record's id and the type. */
  readonly revision: number;
  /** For example `survey.published`. */
  readonly type: string;
  /** Path of the resource in the API, such as `/surveys`: the attribute `source` of CloudEvents. */
  readonly source: string;
  readonly tenantId: TenantId;
  readonly time: Date;
  /** Additional data. `makeEvent` adds `occurred_at` and `revision`. */
  readonly data: JsonObject;
  /** W3C trace context of the call; empty if it has none. */
  readonly traceparent: string;
}

/** An event that is too large for the broker would block all later events. */
const MAX_VALUE_BYTES = 500_000;

/**
 * Makes the event in the form that is stored with its record. The id is deterministic. Throws `RangeError` over 500,000
 * bytes.
 */
export function makeEvent(event: NewEvent): OutboxEvent {
  const { topic, recordId, revision, type, source, tenantId, time, traceparent } = event;
  const data = { ...event.data, ...changeMembers(time, revision) };
  const id = uuidOf(EVENT_IDS, `${recordId} ${type} ${revision}`);
  const message = create(EventSchema, { id, type, tenantId, time: timestampFromDate(time), data, traceparent });
  const bytes = toBinary(EventSchema, message);
  if (bytes.length > MAX_VALUE_BYTES) throw new RangeError(`An event of type ${type} is too large`);
  const headers: Record<string, string> = traceparent === '' ? {} : { traceparent };
  return { id, topic, key: recordId, type, source, at: time, value: new Binary(bytes), headers };
}

export function changeMembers(time: Date, revision: number): ChangeMembers {
  return { occurred_at: time.toISOString(), revision };
}
