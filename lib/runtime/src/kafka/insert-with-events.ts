import { randomUUID } from 'node:crypto';
import type { Collection, OptionalUnlessRequiredId } from 'mongodb';
import { toBatches } from '../flow/batches.ts';
import { inTransaction } from '../mongo/in-transaction.ts';
import { documentErrorsOf, type InsertOutcome, insertBatch } from '../mongo/insert-batch.ts';
import type { TenantDocument } from '../mongo/tenant-collection.ts';
import type { OutboxDocument, OutboxEvent } from './outbox-event.ts';

/**
 * Limits of a carrier. The relay loads 500 documents at a time, so it holds up to 10,000 events. The size limit is only
 * a safeguard.
 */
const CARRIER = { items: 20, size: 10_000_000, sizeOf: ({ value }: OutboxEvent) => value.length() };

/**
 * Like `insertBatch`, but cheaper for many documents with events. It stores the events in separate documents
 * (carriers), twenty in each, so that the relay need not update each document. Everything is one transaction. If a
 * document is a duplicate or rejected, `insertBatch` takes over.
 */
export async function insertWithEvents<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<readonly InsertOutcome[]> {
  const events = documents.flatMap(({ outbox = [] }) => outbox);
  // For few events, a transaction costs more than it saves.
  if (events.length < CARRIER.items) return insertBatch(collection, documents);
  const stored = [...documents.map((document) => ({ ...document, outbox: [] })), ...toCarriers(events)];
  try {
    await inTransaction(collection.db.client, (session) =>
      // The collection also stores carriers, which are not of its document type.
      collection.insertMany(stored as readonly unknown[] as readonly OptionalUnlessRequiredId<D>[], { session }),
    );
    return documents.map(() => ({ kind: 'inserted' }));
  } catch (error) {
    if (documentErrorsOf(error).length === 0) throw error;
    return insertBatch(collection, documents);
  }
}

/** Carriers have the flag of tombstones, so that the relay deletes them when their events are published. */
function toCarriers(events: readonly OutboxEvent[]): readonly OutboxDocument[] {
  return toBatches(events, CARRIER).map((outbox) => ({ _id: randomUUID(), tombstone: true, outbox }));
}
