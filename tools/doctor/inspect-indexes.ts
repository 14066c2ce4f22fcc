import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { type Db, type Document, MongoServerError } from 'mongodb';

interface IndexProblem {
  readonly collection: string;
  /** Name of the index. */
  readonly index: string;
  readonly problem: 'missing' | 'different';
}

const NAMESPACE_NOT_FOUND = 26;
/** Options that change the meaning of an index. */
const OPTIONS = ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression', 'collation'] as const;

/** Finds indexes that are missing or have another definition, and changes nothing. Further indexes are fine. */
export async function inspectIndexes(db: Db, specs: IndexSpecs): Promise<readonly IndexProblem[]> {
  const problems: IndexProblem[] = [];
  for (const [collection, indexes] of Object.entries(specs)) {
    const existing = new Map((await listIndexes(db, collection)).map((index) => [index['name'], index]));
    for (const spec of indexes) {
      const found = existing.get(spec.name);
      if (found === undefined) problems.push({ collection, index: spec.name, problem: 'missing' });
      else if (toDefinition(found) !== toDefinition(spec))
        problems.push({ collection, index: spec.name, problem: 'different' });
    }
  }
  return problems;
}

/** All indexes of a database in the form of `ensureIndexes`, sorted, without those on `_id`. */
export async function exportIndexes(db: Db): Promise<IndexSpecs> {
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  const specs: Record<string, IndexSpecs[string]> = {};
  for (const name of names.sort()) {
    const indexes = (await listIndexes(db, name)).filter((index) => index['name'] !== '_id_');
    const sorted = indexes.toSorted((one, other) => (one['name'] < other['name'] ? -1 : 1));
    if (sorted.length > 0) specs[name] = sorted.map(({ v: _version, ...index }) => index as IndexSpecs[string][number]);
  }
  return specs;
}

async function listIndexes(db: Db, collection: string): Promise<readonly Document[]> {
  try {
    return await db.collection(collection).indexes();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Returns a text that is equal for equal definitions. The key is a list of entries, because their order matters. */
function toDefinition(index: Document): string {
  const key = Object.entries(index['key'] as Document);
  // An option that is off counts as absent. `expireAfterSeconds: 0` is on.
  return JSON.stringify([key, ...OPTIONS.map((option) => (index[option] === false ? null : index[option]))]);
}
