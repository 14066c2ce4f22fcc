import type { Db } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import { type TenantDocument, tenantCollection } from '../mongo/tenant-collection.ts';

const BATCH = 500;

/**
 * Deletes all documents of a tenant in a database, in batches. Returns their number, or undefined if it was stopped.
 *
 * @param options.keptCollections names of collections that are skipped
 * @param options.mayContinue checked before each batch
 */
export async function destroyTenantData(
  db: Db,
  tenantId: TenantId,
  {
    keptCollections,
    mayContinue,
  }: { readonly keptCollections: readonly string[]; readonly mayContinue: () => Promise<boolean> },
): Promise<number | undefined> {
  let count = 0;
  for (const name of await collectionsOf(db)) {
    if (keptCollections.includes(name)) continue;
    const documents = tenantCollection(db.collection<TenantDocument>(name), tenantId);
    for (;;) {
      if (!(await mayContinue())) return undefined;
      const batch = await documents.find<{ _id: string }>({}, { projection: { _id: 1 }, limit: BATCH }).toArray();
      if (batch.length === 0) break;
      const { deletedCount } = await documents.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
      count += deletedCount;
    }
  }
  return count;
}

async function collectionsOf(db: Db): Promise<readonly string[]> {
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}
