import type { Binary } from 'mongodb';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import type { OutgoingMessage } from './publisher.ts';

/**
 * An event that waits in the document that it is about, in its tombstone, or in a carrier: a document that only holds
 * events (`insertWithEvents`).
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
 * A document with events, which are stored in the same write as the change: in `outbox`, by insert or `$push`. A
 * deleted document becomes a `tombstone` with the last events; the relay deletes it when they are published. A
 * tombstone needs at least one event, or it would stay forever. A carrier has the same flag, so the relay deletes it,
 * too.
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
