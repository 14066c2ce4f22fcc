import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { TenantDocument } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';

/** Deletes a batch of records that were created before a time. Returns whether more may be left. */
export type Deletion = (before: Date) => Promise<boolean>;

interface AgedDocument extends TenantDocument {
  readonly created_at: Date;
  /** Absent once the record is finished. */
  readonly due_at?: Date;
}

/** Small, so that writes of other processes to the collection do not wait long. */
const MAX_BATCH = 500;

/**
 * Deletes old finished records of all tenants.
 *
 * @param collection needs an index that begins with `created_at`
 */
export function createDeletion<D extends AgedDocument>(collection: Collection<D>): Deletion {
  // Queries use only fields of `AgedDocument`.
  const all = systemScope(collection as unknown as Collection<AgedDocument>);
  return async (before) => {
    const finished = { created_at: { $lt: before }, due_at: { $exists: false } };
    const options = { sort: { created_at: 1 }, limit: MAX_BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 } as const;
    const found = await all.find(finished, options).toArray();
    if (found.length === 0) return false;
    // Check `due_at` again: a record may have become due after the search.
    await all.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, due_at: { $exists: false } });
    return found.length === MAX_BATCH;
  };
}
