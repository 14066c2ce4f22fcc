import type { Collection, Document, Filter } from 'mongodb';
import type { Backlog } from '../telemetry/reported-gauge.ts';

const MAX_COUNTED = 100_000;
const TIME_LIMIT = { maxTimeMS: 2_000 } as const;

/**
 * Measures the backlog of a collection: the number of due documents (up to 100,000), and how long the first one has
 * waited. Needs an index on `due_at`.
 */
export async function measureDue<D extends Document & { readonly due_at?: Date }>(
  collection: Collection<D>,
  now: Date,
): Promise<Backlog> {
  // D has the field, but the driver's types cannot infer that.
  const due = { due_at: { $lte: now } } as Filter<D>;
  const [count, first] = await Promise.all([
    collection.countDocuments(due, { ...TIME_LIMIT, limit: MAX_COUNTED }),
    collection.findOne<{ due_at: Date }>(due, { ...TIME_LIMIT, sort: { due_at: 1 }, projection: { due_at: 1 } }),
  ]);
  return { count, oldestSeconds: first === null ? 0 : (now.getTime() - first.due_at.getTime()) / 1_000 };
}
