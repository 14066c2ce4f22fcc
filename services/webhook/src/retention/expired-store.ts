import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { TenantDocument } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ExpiredStore } from './module.ts';

/** A record that is over when it has no `due_at`. */
interface AgedDocument extends TenantDocument {
  readonly created_at: Date;
  readonly due_at?: Date;
}

/** Small, because other processes write to the same collection. */
const MAX_BATCH = 500;

/**
 * Deletes old records of all tenants.
 *
 * @param collection needs an index that begins with `created_at`
 */
export function createExpiredStore<D extends AgedDocument>(collection: Collection<D>): ExpiredStore {
  // Queries use only fields of `AgedDocument`.
  const all = systemScope(collection as unknown as Collection<AgedDocument>);
  return {
    async deleteSome(before) {
      const isOver = { created_at: { $lt: before }, due_at: { $exists: false } };
      const options = { sort: { created_at: 1 }, limit: MAX_BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 } as const;
      const found = await all.find(isOver, options).toArray();
      if (found.length === 0) return false;
      // A record may have become due again.
      await all.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, due_at: { $exists: false } });
      return found.length === MAX_BATCH;
    },
  };
}
