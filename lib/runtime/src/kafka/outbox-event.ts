import type { Binary } from 'mongodb';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import type { OutgoingMessage } from './publisher.ts';

/** An event as it waits in the document whose change it tells, or beside it. */
export interface OutboxEvent {
  /** Derived from document, type and revision, so that consumers recognise a repeat. Unique in the collection. */
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly type: string;
  /** The process that made it. */
  readonly source: string;
  readonly at: Date;
  readonly value: Binary;
  /** Headers beside those of CloudEvents: `traceparent` of the call that made the change. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A document that carries events. They are written with the change itself: a new document has them in `outbox`, an
 * update adds one by `$push`. A deleted document stays as a `tombstone`, emptied, until its events are out; then the
 * relay removes it. The update that makes the tombstone adds an event: one without would stay for ever. Events of many
 * documents that are stored together may have tombstones of their own: see `insertWithEvents`.
 */
export interface OutboxDocument {
  readonly _id: string;
  readonly outbox?: readonly OutboxEvent[];
  readonly tombstone?: true;
}

/** The relay's index. It holds only documents with events that are not out yet, so it stays small. */
export const outboxIndex: IndexSpecs[string][number] = {
  name: 'outbox',
  key: { 'outbox.at': 1 },
  partialFilterExpression: { 'outbox.at': { $exists: true } },
};

/** The event as a message, in the binary mode of the CloudEvents Kafka binding. */
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
