import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { TenantDocument } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Expiring } from './retention.ts';

/** A record that was made once, and is over when nothing is due any more. */
interface AgedDocument extends TenantDocument {
  readonly created_at: Date;
  readonly due_at?: Date;
}

/** Few at a time: others write to the same collection. */
const BATCH = 500;

/**
 * The old records of a collection, of all tenants.
 *
 * @param given has an index that begins with `created_at`
 */
export function createExpiredStore<D extends AgedDocument>(given: Collection<D>): Expiring {
  // Nothing but what every such record has is read and asked for.
  const all = systemScope(given as unknown as Collection<AgedDocument>);
  return {
    async deleteSome(before) {
      const isOver = { created_at: { $lt: before }, due_at: { $exists: false } };
      const options = { sort: { created_at: 1 }, limit: BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 } as const;
      const found = await all.find(isOver, options).toArray();
      if (found.length === 0) return false;
      // One may have become due again.
      await all.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, due_at: { $exists: false } });
      return found.length === BATCH;
    },
  };
}
