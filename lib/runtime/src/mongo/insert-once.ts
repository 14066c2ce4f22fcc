import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey } from './mongo-errors.ts';
import type { NewDocument, TenantCollection, TenantDocument, TenantFilter, TenantUpdate } from './tenant-collection.ts';

/** How often to look for what an insertion collided with, and how long to wait in between at first. */
const ATTEMPTS = 4;
const PAUSE_MS = 10;

/**
 * Inserts a new document of a tenant, whose id may come a second time: gives the document that is stored, which is the
 * one of the first time then. It is durable either way. Throws the driver's error when another document has a value that
 * a unique index keeps.
 */
export async function insertOnce<D extends TenantDocument>(
  collection: TenantCollection<D>,
  document: NewDocument<D> & Pick<D, '_id'>,
): Promise<D> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await collection.insertOne(document);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const first = await findInserted(collection, document._id);
      if (first !== null) return first;
      // Another document has what a unique index keeps; or it is of this moment, and in the index a little before it is found.
      if (!isDuplicateKey(error, '_id') || attempt === ATTEMPTS) throw error;
      await sleep(attempt * PAUSE_MS);
    }
  }
}

/**
 * What was inserted under an id, this moment perhaps; null when it is not there any more, or another tenant's. It is
 * durable then.
 */
export async function findInserted<D extends TenantDocument>(
  collection: TenantCollection<D>,
  id: D['_id'],
): Promise<D | null> {
  // A write, though it changes nothing: it is acknowledged by a majority, and with it what it finds. What was inserted
  // this moment a read may not see yet, or a rollback may still take away.
  // The id is a field of every document, and no field is one of any.
  return collection.findOneAndUpdate({ _id: id } as TenantFilter<D>, { $setOnInsert: {} } as TenantUpdate<D>);
}
