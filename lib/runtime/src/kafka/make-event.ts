import { create, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { Binary } from 'mongodb';
import { parse } from 'uuid';
import type { TenantId } from '../auth/tenant-id.ts';
import { uuidOf } from '../crypto/uuid-of.ts';
import type { OutboxEvent } from './outbox-event.ts';

/** Namespace of event ids (RFC 9562, version 5), generated once. */
const EVENT_ID_NAMESPACE = parse('6b0a4f0e-5a0c-4f4e-9a55-0d0f6a3f5c1d');

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
  /** Id of the record. Consumers get its events in order, unless `insertWithEvents` stored some of them (ADR 4). */
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

/**
 * An event that is too large for the broker would block all later events. Half of what topics allow, so that headers,
 * also those of a dead letter, fit, too.
 */
const MAX_VALUE_BYTES = 500_000;

/**
 * Makes the event in the form that is stored with its record. The same change always gets the same id, so that consumers
 * recognise repeats. Throws `RangeError` over 500,000 bytes.
 */
export function makeEvent(event: NewEvent): OutboxEvent {
  const { topic, recordId, revision, type, source, tenantId, time, traceparent } = event;
  const data = { ...event.data, ...toChangeMembers(time, revision) };
  const id = uuidOf(EVENT_ID_NAMESPACE, `${recordId} ${type} ${revision}`);
  const message = create(EventSchema, { id, type, tenantId, time: timestampFromDate(time), data, traceparent });
  const bytes = toBinary(EventSchema, message);
  if (bytes.length > MAX_VALUE_BYTES) throw new RangeError(`An event of type ${type} is too large`);
  const headers: Record<string, string> = traceparent === '' ? {} : { traceparent };
  return { id, topic, key: recordId, type, source, at: time, value: new Binary(bytes), headers };
}

export function toChangeMembers(time: Date, revision: number): ChangeMembers {
  return { occurred_at: time.toISOString(), revision };
}
