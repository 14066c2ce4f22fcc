import { isDuplicateKey } from './mongo-errors.ts';
import type { NewDocument, TenantCollection, TenantDocument, TenantFilter, TenantUpdate } from './tenant-collection.ts';

/**
 * Inserts a new document of a tenant, whose id may come a second time: then it gives the document that the first time
 * stored, else undefined. It is durable either way. Throws the driver's error when another document has a value that a
 * unique index keeps.
 */
export async function insertOnce<D extends TenantDocument>(
  collection: TenantCollection<D>,
  document: NewDocument<D> & Pick<D, '_id'>,
): Promise<D | undefined> {
  try {
    await collection.insertOne(document);
    return undefined;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The id is a field of every document, and no field is one of any.
    const sameId = { _id: document._id } as TenantFilter<D>;
    // A write, though it changes nothing: it is acknowledged by a majority, and with it what it finds. What was inserted
    // this moment a read may not see yet, or a rollback may still take away.
    const first = await collection.findOneAndUpdate(sameId, { $setOnInsert: {} } as TenantUpdate<D>);
    if (first === null) throw error;
    return first;
  }
}
