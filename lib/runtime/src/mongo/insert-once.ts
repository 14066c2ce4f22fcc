import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey } from './mongo-errors.ts';
import type { NewDocument, TenantCollection, TenantDocument, TenantFilter, TenantUpdate } from './tenant-collection.ts';

/** Maximum number of insertions, while the colliding document is not found. */
const ATTEMPTS = 4;
/** Pause after the first attempt. Each next pause is longer by this time. */
const PAUSE_MS = 10;

/**
 * Inserts a document, or returns the stored one with the same id. The result is durable. Throws the driver's error if
 * another document has the same value of a unique index, or if the id is that of another tenant's document.
 *
 * @param insert inserts the document and returns it, for example in a transaction. It may run again after a collision.
 */
export async function insertOnce<D extends TenantDocument>(
  collection: TenantCollection<D>,
  document: NewDocument<D> & Pick<D, '_id'>,
  insert: () => Promise<D> = () => collection.insertOne(document),
): Promise<D> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insert();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const stored = await findInserted(collection, document._id);
      if (stored !== null) return stored;
      // Either another unique index collided, or the document was inserted just now and is not visible yet.
      if (!isDuplicateKey(error, '_id') || attempt === ATTEMPTS) throw error;
      await sleep(attempt * PAUSE_MS);
    }
  }
}

/**
 * Finds a document that may have been inserted just now, and waits until it is durable. Returns null if it does not
 * exist or belongs to another tenant.
 */
export async function findInserted<D extends TenantDocument>(
  collection: TenantCollection<D>,
  id: D['_id'],
): Promise<D | null> {
  // A majority read could miss the newest insertion. This update finds it without changing it, and waits for a
  // majority. The casts are safe: every document has an _id, and an update without fields fits all.
  return collection.findOneAndUpdate({ _id: id } as TenantFilter<D>, { $setOnInsert: {} } as TenantUpdate<D>);
}
