import type { Collection, Document, Filter, WithId } from 'mongodb';
import type { Backlog } from '../telemetry/reported-gauge.ts';
import type { IndexSpecs } from './ensure-indexes.ts';

/**
 * A document with work that any process may do.
 *
 * A process claims the document before it works: `claim` becomes its fencing token. Its later writes match the token,
 * so they change nothing after another process has claimed the document. If the clocks of processes differ, a lease can
 * end early; the token makes that harmless. For a right that belongs to no document, use a `Lease`.
 */
export interface DueDocument {
  /**
   * Time from which a process may claim the document; while it is claimed, the end of the lease. Absent without work.
   */
  readonly due_at?: Date;
  readonly claim?: string;
}

/** The right of one process to work on the documents with its claim. */
export interface ClaimLease {
  readonly claim: string;
  readonly until: Date;
}

export type NewLease = ClaimLease & { readonly now: Date };

/** The index contains only documents with work, so it stays small. */
export const dueIndex = (): IndexSpecs[string][number] => ({
  name: 'due',
  key: { due_at: 1 },
  partialFilterExpression: { due_at: { $exists: true } },
});

export const dueFilter = (now: Date) => ({ due_at: { $lte: now } });

/** The update that lets another process claim the document from this time. */
export const releaseUpdate = (dueAt: Date) => ({ $set: { due_at: dueAt }, $unset: { claim: true as const } });

/**
 * Claims the document that has been due longest, and returns it after the claim.
 *
 * @param fields fields to set, as expressions over the document before the claim
 */
export function claimOldest<D extends DueDocument>(
  collection: Pick<Collection<D>, 'findOneAndUpdate'>,
  { now, ...lease }: NewLease,
  { filter, fields }: { readonly filter?: Filter<D>; readonly fields?: Document } = {},
): Promise<WithId<D> | null> {
  // D has the fields, but the driver's types cannot infer that.
  const due = { ...filter, ...dueFilter(now) } as Filter<D>;
  const update = [{ $set: { ...fields, claim: { $literal: lease.claim }, due_at: lease.until } }];
  return collection.findOneAndUpdate(due, update, { sort: { due_at: 1 }, returnDocument: 'after' });
}

const MAX_COUNTED = 100_000;
const TIME_LIMIT = { maxTimeMS: 2_000 } as const;

/**
 * Measures the backlog of a collection: the number of due documents (up to 100,000), and the wait of the oldest one.
 *
 * @param field name of the time from which a document is due. It needs an index
 */
export async function measureDue<D extends Document>(
  collection: Collection<D>,
  now: Date,
  field: keyof D & string = 'due_at',
): Promise<Backlog> {
  // D has the field, but the driver's types cannot infer that.
  const due = { [field]: { $lte: now } } as Filter<D>;
  const options = { ...TIME_LIMIT, sort: { [field]: 1 }, projection: { [field]: 1 } } as const;
  const [count, first] = await Promise.all([
    collection.countDocuments(due, { ...TIME_LIMIT, limit: MAX_COUNTED }),
    collection.findOne<Readonly<Record<string, Date>>>(due, options),
  ]);
  const dueAt = first?.[field];
  return { count, oldestSeconds: dueAt === undefined ? 0 : (now.getTime() - dueAt.getTime()) / 1_000 };
}
