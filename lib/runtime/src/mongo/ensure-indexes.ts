import { type Db, type IndexDescription, MongoServerError } from 'mongodb';

/** Indexes by name of their collection. Every index has a `name`. */
export type IndexSpecs = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

/** Codes of IndexOptionsConflict and IndexKeySpecsConflict. */
const CONFLICTS = new Set<unknown>([85, 86]);

/**
 * Creates missing indexes and collections, and drops nothing. Does not block running processes. Throws if an index of
 * the same name or key has another definition, or if documents violate a unique index.
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
      ? ': it exists with another definition. Drop that index, or name the new one differently'
      : '';
    throw new Error(`Cannot create the index ${index.name} of ${db.databaseName}.${collection}${remedy}`, {
      cause: error,
    });
  }
}
