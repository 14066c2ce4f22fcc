import { type Collection, MongoBulkWriteError, type OptionalUnlessRequiredId, type WriteError } from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import { DUPLICATE_KEY, isDocumentFault } from './mongo-errors.ts';
import type { TenantDocument } from './tenant-collection.ts';

/** The outcome of one document: stored, a duplicate (same `_id` or unique key), or rejected because of its content. */
export type InsertOutcome = { readonly kind: 'inserted' } | { readonly kind: 'duplicate' } | FailedInsert;

export interface FailedInsert {
  readonly kind: 'failed';
  readonly error: WriteError;
}

/**
 * Inserts documents of several tenants in one unordered write. Resolves when the write is durable, with one outcome per
 * document, in the same order. Throws if the whole write failed: any of the documents may be stored.
 */
export async function insertBatch<D extends TenantDocument>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<readonly InsertOutcome[]> {
  // The driver rejects an empty batch.
  if (documents.length === 0) return [];
  const outcomes: InsertOutcome[] = documents.map(() => ({ kind: 'inserted' }));
  try {
    // D has an _id, but the driver's type cannot see that of a type parameter.
    await collection.insertMany(documents as readonly OptionalUnlessRequiredId<D>[], { ordered: false });
  } catch (error) {
    const failures = documentErrorsOf(error);
    if (failures.length === 0) throw error;
    for (const failure of failures) outcomes[failure.index] = toOutcome(failure);
  }
  return outcomes;
}

/** Throws `UNAVAILABLE` if the document is not at fault: the server may accept it later. */
function toOutcome(failure: WriteError): InsertOutcome {
  if (failure.code === DUPLICATE_KEY) return { kind: 'duplicate' };
  if (isDocumentFault(failure.code)) return { kind: 'failed', error: failure };
  throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: failure });
}

/**
 * Errors of single documents in a bulk write; outside of a transaction, the other documents are stored. Empty if the
 * whole write failed: the driver reports lost connections and rejected commands as bulk write errors too.
 */
export function documentErrorsOf(error: unknown): readonly WriteError[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return [];
  return [error.writeErrors].flat();
}
