import { create, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { Binary } from 'mongodb';
import { parse } from 'uuid';
import type { TenantId } from '../auth/tenant-id.ts';
import { uuidOf } from '../crypto/uuid-of.ts';
import type { OutboxEvent } from './outbox-event.ts';

/** Namespace of event ids (RFC 9562, version 5): ours, made once. */
const EVENT_IDS = parse('6b0a4f0e-5a0c-4f4e-9a55-0d0f6a3f5c1d');

/** The members of every event's `data` that put the changes of a record in order. */
type ChangeMembers = {
  /** Time of the change, RFC 3339. */
  readonly occurred_at: string;
  /** Revision of the record after the change. */
  readonly revision: number;
};

/** Something that happened to a record, to be published with the write that makes it so. */
export interface NewEvent {
  readonly topic: string;
  /** Id of the record: the key that its events keep their order under. */
  readonly recordId: string;
  /** Revision of the record after the change; with its id and the type it makes the event's id. */
  readonly revision: number;
  /** For example `survey.published`. */
  readonly type: string;
  /** Path of the kind of record in the API, `/surveys` for example: the CloudEvents attribute. */
  readonly source: string;
  readonly tenantId: TenantId;
  readonly time: Date;
  /** Without `occurred_at` and `revision`: `makeEvent` adds them. */
  readonly data: JsonObject;
  /** W3C trace context of the call, empty when there is none. */
  readonly traceparent: string;
}

/** Events carry ids and states. One that a broker would refuse for its size would hold up all that come after it. */
const MAX_VALUE_BYTES = 500_000;

/**
 * The event as it is stored in its record. The same happening always has the same id. Throws `RangeError` when it has
 * more than 500,000 bytes.
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
