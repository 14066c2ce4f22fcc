import { randomUUID } from 'node:crypto';
import type { Collection, OptionalUnlessRequiredId } from 'mongodb';
import { toBatches } from '../flow/batches.ts';
import { inTransaction } from '../mongo/in-transaction.ts';
import { documentErrorsOf, type InsertOutcome, insertBatch } from '../mongo/insert-batch.ts';
import type { TenantDocument } from '../mongo/tenant-collection.ts';
import type { OutboxDocument, OutboxEvent } from './outbox-event.ts';

/** The relay holds a page of 500 documents in memory: so it may be 10,000 events. The bytes are more than these ever have. */
const CARRIER = { items: 20, size: 10_000_000, sizeOf: ({ value }: OutboxEvent) => value.length() };

/**
 * Like `insertBatch`, and cheaper for many documents that bring events: those are stored beside them, twenty in a
 * tombstone, which the relay deletes once they are out, so that it need not change every document. One transaction
 * stores all of it; when a document is there already or refused, `insertBatch` does.
 */
export async function insertWithEvents<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<readonly InsertOutcome[]> {
  const events = documents.flatMap(({ outbox = [] }) => outbox);
  // A transaction for fewer would cost more than it saves.
  if (events.length < CARRIER.items) return insertBatch(collection, documents);
  const stored = [...documents.map((document) => ({ ...document, outbox: [] })), ...toCarriers(events)];
  try {
    await inTransaction(collection.db.client, (session) =>
      // Carriers lie among the documents of tenants, and are none.
      collection.insertMany(stored as readonly unknown[] as readonly OptionalUnlessRequiredId<D>[], { session }),
    );
    return documents.map(() => ({ kind: 'inserted' }));
  } catch (error) {
    if (documentErrorsOf(error).length === 0) throw error;
    return insertBatch(collection, documents);
  }
}

function toCarriers(events: readonly OutboxEvent[]): readonly OutboxDocument[] {
  return toBatches(events, CARRIER).map((outbox) => ({ _id: randomUUID(), tombstone: true, outbox }));
}
