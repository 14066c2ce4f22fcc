import { type Collection, MongoBulkWriteError, type OptionalUnlessRequiredId, type WriteError } from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import { DUPLICATE_KEY, isDocumentFault } from './mongo-errors.ts';
import type { TenantDocument } from './tenant-collection.ts';

/** What became of one document of a batch: stored, there already (same `_id` or unique key), or refused for what it is. */
export type InsertOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'failed'; readonly error: WriteError };

/**
 * Inserts documents of any tenants in one unordered write: the group commit of concurrent calls, each of which brings
 * the tenant of its own token in its document. Resolves once the write is durable, with the outcome of each document
 * at its index. Throws when the write as a whole failed; then each document may be stored or not.
 */
export async function insertBatch<D extends TenantDocument>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<readonly InsertOutcome[]> {
  // The driver refuses an empty batch.
  if (documents.length === 0) return [];
  const outcomes: InsertOutcome[] = documents.map(() => ({ kind: 'inserted' }));
  try {
    // A document that has its _id is what the driver's type asks for; it cannot tell with a type parameter.
    await collection.insertMany(documents as readonly OptionalUnlessRequiredId<D>[], { ordered: false });
  } catch (error) {
    const failures = documentErrorsOf(error);
    if (failures.length === 0) throw error;
    for (const failure of failures) outcomes[failure.index] = toOutcome(failure);
  }
  return outcomes;
}

/** Throws `UNAVAILABLE` when the server refuses for reasons of its own: it may take the document later. */
function toOutcome(failure: WriteError): InsertOutcome {
  if (failure.code === DUPLICATE_KEY) return { kind: 'duplicate' };
  if (isDocumentFault(failure.code)) return { kind: 'failed', error: failure };
  throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: failure });
}

/**
 * What the server said of single documents of a write of many; outside of a transaction the others are durable. None when
 * the error tells nothing of the sort: the driver makes a bulk write error of anything, lost connections and refused
 * commands included, and then it has no errors of documents although none is stored.
 */
export function documentErrorsOf(error: unknown): readonly WriteError[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return [];
  return [error.writeErrors].flat();
}
