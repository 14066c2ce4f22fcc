import { type Collection, MongoBulkWriteError, type OptionalUnlessRequiredId, type WriteError } from 'mongodb';
import type { TenantDocument } from './tenant-collection.ts';

/** What became of one document of a batch: stored, there already (same `_id` or unique key), or refused by the server. */
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
  const outcomes: InsertOutcome[] = documents.map(() => ({ kind: 'inserted' }));
  try {
    // A document that has its _id is what the driver's type asks for; it cannot tell with a type parameter.
    await collection.insertMany(documents as readonly OptionalUnlessRequiredId<D>[], { ordered: false });
  } catch (error) {
    for (const failure of documentErrorsOf(error)) {
      outcomes[failure.index] = failure.code === 11_000 ? { kind: 'duplicate' } : { kind: 'failed', error: failure };
    }
  }
  return outcomes;
}

/**
 * What the server said of single documents, the others of the batch being durable. Throws the error when it tells
 * nothing of the sort: the driver makes a bulk write error of anything, lost connections and refused commands included,
 * and then it has no errors of documents although none is stored.
 */
function documentErrorsOf(error: unknown): readonly WriteError[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
  const errors = [error.writeErrors].flat();
  if (errors.length === 0) throw error;
  return errors;
}
