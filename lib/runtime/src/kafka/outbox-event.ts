import { create, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { Binary, type ClientSession, type Collection, type Document, type Filter } from 'mongodb';
import { parse } from 'uuid';
import type { TenantId } from '../auth/tenant-id.ts';
import { uuidOf } from '../crypto/uuid-of.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import type { TenantDocument, TenantFilter } from '../mongo/tenant-collection.ts';
import { checkFilter } from '../mongo/tenant-guard.ts';
import type { OutgoingMessage } from './publisher.ts';

/**
 * An unpublished event. It is stored in the document that it is about, in the tombstone of that document, or in a
 * carrier: a document that contains only events (`insertWithEvents`).
 */
export interface OutboxEvent {
  /** Derived from record, type and revision, so that consumers recognize repeats. Unique in the collection. */
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly type: string;
  /** Path of the resource in the API: the CloudEvents attribute `source`. */
  readonly source: string;
  readonly at: Date;
  readonly value: Binary;
  /** Additional headers: `traceparent` of the call that made the change. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A document with its unpublished events: the write of a change also stores the events of the change in `outbox`. A
 * deleted document becomes a `tombstone` with the last events. The relay deletes the tombstone when it has published
 * them, so a tombstone needs at least one event. A carrier also has the flag `tombstone`.
 */
export interface OutboxDocument {
  readonly _id: string;
  readonly outbox?: readonly OutboxEvent[];
  readonly tombstone?: true;
}

/** Index for the relay. It contains only documents with unpublished events, so it stays small. */
export const outboxIndex: IndexSpecs[string][number] = {
  name: 'outbox',
  key: { 'outbox.at': 1 },
  partialFilterExpression: { 'outbox.at': { $exists: true } },
};

/** Converts an event to a message in the binary mode of the CloudEvents Kafka binding. */
export function toMessage({ id, topic, key, type, source, at, value, headers }: OutboxEvent): OutgoingMessage {
  return {
    topic,
    key,
    value: value.value(),
    headers: {
      ...headers,
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: type,
      ce_source: source,
      ce_time: at.toISOString(),
      'content-type': 'application/protobuf',
    },
  };
}

/**
 * Replaces a document of a tenant with a tombstone, which has only the unpublished events. Queries of tenants do not
 * find tombstones. Returns false if no document matches. Unique indexes of the collection must be sparse, because
 * tombstones lack all fields.
 */
export async function replaceWithTombstone<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
  filter: TenantFilter<D>,
  events: readonly [OutboxEvent, ...OutboxEvent[]],
  session?: ClientSession,
): Promise<boolean> {
  checkFilter(filter);
  const { matchedCount } = await collection.updateOne(
    // Apart from the tenant, a `TenantFilter` is a `Filter`.
    { ...filter, tenant_id: tenantId } as Filter<D>,
    [...tombstoneUpdate(events)],
    session === undefined ? {} : { session },
  );
  return matchedCount === 1;
}

/** The update of `replaceWithTombstone`, for bulk writes. The filter must name the tenant and the document. */
export function tombstoneUpdate(events: readonly [OutboxEvent, ...OutboxEvent[]]): readonly Document[] {
  const outbox = { $concatArrays: [{ $ifNull: ['$outbox', []] }, { $literal: events }] };
  return [{ $replaceWith: { _id: '$_id', tombstone: true, outbox } }];
}

/** Namespace of event ids (RFC 9562, version 5), generated once. */
const EVENT_ID_NAMESPACE = parse('6b0a4f0e-5a0c-4f4e-9a55-0d0f6a3f5c1d');

/** Members of `data` in every event. They order the changes of a record. */
type ChangeMembers = {
  /** Time of the change, RFC 3339. */
  readonly occurred_at: string;
  /** Revision of the record after the change. */
  readonly revision: number;
};

export interface NewEvent {
  readonly topic: string;
  /** Id of the record. Consumers get its events in order, except those from `insertWithEvents` (ADR 4). */
  readonly recordId: string;
  /** Revision of the record after the change. The event's id is derived from it, the record's id and the type. */
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

/** Half of the size that topics allow, so that headers fit too. An oversized event would block all later events. */
const MAX_VALUE_BYTES = 500_000;

/**
 * Makes the event in the form that is stored with its record. The same change always gets the same id, so that
 * consumers recognize repeats. Throws `RangeError` over 500,000 bytes.
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
