import { type Db, type IndexDescription, MongoServerError } from 'mongodb';

/** The indexes of each collection, by its name. Every index has a `name`. */
export type IndexSpecs = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

/** IndexOptionsConflict, IndexKeySpecsConflict. */
const CONFLICTS = new Set<unknown>([85, 86]);

/**
 * Creates the indexes (and collections) that are missing; those that are there as described are left alone, so it may
 * run at any time beside running processes, which are not blocked while an index is built. Nothing is ever dropped.
 * Throws when an index of the same name or key exists with another definition, and when a unique index meets
 * documents that break it.
 */
export async function ensureIndexes(db: Db, specs: IndexSpecs): Promise<void> {
  for (const [collection, indexes] of Object.entries(specs)) {
    for (const index of indexes) await ensureIndex(db, collection, index);
  }
}

async function ensureIndex(db: Db, collection: string, index: IndexSpecs[string][number]): Promise<void> {
  try {
    await db.collection(collection).createIndexes([index]);
  } catch (error) {
    const conflicts = error instanceof MongoServerError && CONFLICTS.has(error.code);
    const remedy = conflicts
      ? ': it exists with another definition, drop that index (or name the new one differently) first'
      : '';
    throw new Error(`Cannot create the index ${index.name} of ${db.databaseName}.${collection}${remedy}`, {
      cause: error,
    });
  }
}
