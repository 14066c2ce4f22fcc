import type { Collection, Document, Filter } from 'mongodb';
import type { Backlog } from '../telemetry/backlog-metrics.ts';

const MAX_COUNTED = 100_000;
const BRIEFLY = { maxTimeMS: 2_000 } as const;

/**
 * How many documents of a collection wait to be worked on, counted up to 100,000, and for how long the first of them
 * has. Needs an index of `due_at`.
 */
export async function measureDue<D extends Document & { readonly due_at?: Date }>(
  collection: Collection<D>,
  now: Date,
): Promise<Backlog> {
  // The types of the driver cannot tell that every D has the field.
  const due = { due_at: { $lte: now } } as Filter<D>;
  const [count, first] = await Promise.all([
    collection.countDocuments(due, { ...BRIEFLY, limit: MAX_COUNTED }),
    collection.findOne<{ due_at: Date }>(due, { ...BRIEFLY, sort: { due_at: 1 }, projection: { due_at: 1 } }),
  ]);
  return { count, oldestSeconds: first === null ? 0 : (now.getTime() - first.due_at.getTime()) / 1_000 };
}
