import { isTimeLimit } from './mongo-errors.ts';
import type { ReadOptions, TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';

/** Newest first, or oldest first. */
export type ListOrder = 'desc' | 'asc';

/** A position in the order of time and id: directly after the document with these values. */
export interface Position {
  readonly time: Date;
  readonly id: string;
}

/** A query for documents of a tenant in the order of a time field and `_id`. It can continue after any position. */
export interface Walk<D extends TenantDocument> {
  readonly collection: TenantCollection<D>;
  /** Name of the time field. */
  readonly by: string;
  /** Default: oldest first. */
  readonly order?: ListOrder;
  /** The part of `filter` that an index serves: equality conditions on its first fields, and bounds of the time. */
  readonly within: TenantFilter<D>;
  /** The documents to read. Other conditions than those of `within` may match few documents. */
  readonly filter: TenantFilter<D>;
}

/** A walk that a single read cannot finish in time is read in slices of the index. Times are in milliseconds. */
export interface WalkLimits {
  /** Time limit of the single read that is tried first. 0: reads slices from the start. */
  readonly singleReadMs: number;
  /** Time that one request spends on a walk. After this time, the request ends with the current slice. */
  readonly timeMs: number;
  /** Documents in a slice, whether they match or not. MongoDB reads them in about a tenth of a second. */
  readonly slice: number;
}

export const WALK_LIMITS: WalkLimits = { singleReadMs: 3_000, timeMs: 10_000, slice: 100_000 };

/** Options of a read. Without a limit, the default of the collection applies. */
export interface TimeLimit {
  readonly maxTimeMS?: number;
}

interface Slice<T> {
  readonly result: T;
  /** The end of the slice, where the next one begins. Undefined if nothing follows. */
  readonly end: Position | undefined;
}

/**
 * Reads the documents after a position. If few of very many documents match, a single read may exceed its time limit.
 * The documents are read slice by slice instead, so that a caller can continue later from the end of the last slice.
 *
 * @param read reads the documents that match the condition, with the time limit as an option
 */
export async function* readSlices<D extends TenantDocument, T>(
  walk: Walk<D>,
  after: Position | undefined,
  read: (condition: TenantFilter<D>, timeLimit: TimeLimit) => Promise<T>,
  { singleReadMs, slice }: Omit<WalkLimits, 'timeMs'> = WALK_LIMITS,
): AsyncGenerator<Slice<T>> {
  const single =
    singleReadMs === 0
      ? undefined
      : await readInTime(() => read(between(walk, after, undefined), { maxTimeMS: singleReadMs }));
  if (single !== undefined) return yield { result: single.result, end: undefined };
  for (let from = after; ; ) {
    const end = await findSliceEnd(walk, from, slice);
    yield { result: await read(between(walk, from, end), {}), end };
    if (end === undefined) return;
    from = end;
  }
}

/** Counts the documents after a position, for about `timeMs`. If documents remain, the next call continues at `end`. */
export async function countInTime<D extends TenantDocument>(
  walk: Walk<D>,
  after: Position | undefined,
  { timeMs, ...limits }: WalkLimits,
  options: Pick<ReadOptions, 'hint'> = {},
): Promise<{ readonly count: number; readonly end: Position | undefined }> {
  const deadline = performance.now() + timeMs;
  const read = (condition: TenantFilter<D>, timeLimit: TimeLimit) =>
    walk.collection.countDocuments(condition, { ...options, ...timeLimit });
  // A continued count is large, so it starts with slices.
  const slices = readSlices(walk, after, read, after === undefined ? limits : { ...limits, singleReadMs: 0 });
  let count = 0;
  for await (const { result, end } of slices) {
    count += result;
    if (end !== undefined && performance.now() >= deadline) return { count, end };
  }
  return { count, end: undefined };
}

/** Returns undefined if the read exceeds its time limit. */
export async function readInTime<T>(read: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
  try {
    return { result: await read() };
  } catch (error) {
    if (isTimeLimit(error)) return undefined;
    throw error;
  }
}

/** Returns the position after the next `slice` documents; undefined if there are fewer. Reads only the index. */
export async function findSliceEnd<D extends TenantDocument>(
  { collection, by, order = 'asc', within }: Omit<Walk<D>, 'filter'>,
  after: Position | undefined,
  slice: number,
): Promise<Position | undefined> {
  const direction = order === 'desc' ? -1 : 1;
  const [last] = await collection
    .find<Readonly<Record<string, unknown>>>(allOf(within, after && afterPosition(by, after, order)), {
      sort: { [by]: direction, _id: direction },
      skip: slice - 1,
      limit: 1,
      projection: { [by]: 1, _id: 1 },
    })
    .toArray();
  // The projection and the sort order determine the types.
  return last === undefined ? undefined : { time: last[by] as Date, id: last['_id'] as string };
}

/** The condition for matching documents after a position, up to another one. */
export function between<D extends TenantDocument>(
  { by, order = 'asc', filter }: Pick<Walk<D>, 'by' | 'order' | 'filter'>,
  after: Position | undefined,
  end: Position | undefined,
): TenantFilter<D> {
  return allOf(filter, after && afterPosition(by, after, order), end && upToPosition(by, end, order));
}

/**
 * A condition for documents after a position in the order of a time and `_id`. The redundant bound on the time lets
 * MongoDB seek in the index; with `$or` alone, it would scan from the start.
 *
 * @param field name of the time
 */
export function afterPosition<Field extends string>(field: Field, position: Position, order: ListOrder = 'asc') {
  return order === 'asc' ? bounds(field, position, '$gte', '$gt') : bounds(field, position, '$lte', '$lt');
}

/** A condition for documents up to a position, including the document at it. */
function upToPosition<Field extends string>(field: Field, position: Position, order: ListOrder) {
  const [inclusive, strict] = order === 'asc' ? (['$lte', '$lt'] as const) : (['$gte', '$gt'] as const);
  return bounds(field, position, inclusive, strict, inclusive);
}

function bounds<Field extends string>(
  field: Field,
  { time, id }: Position,
  inclusive: string,
  strict: string,
  idOperator: string = strict,
) {
  // TypeScript does not know that a computed name is of the type of the field.
  const bound = (operator: string) => ({ [field]: { [operator]: time } }) as Record<Field, Record<string, Date>>;
  return { ...bound(inclusive), $or: [bound(strict), { _id: { [idOperator]: id } }] };
}

function allOf<D extends TenantDocument>(
  filter: TenantFilter<D>,
  ...conditions: readonly (object | undefined)[]
): TenantFilter<D> {
  const given = conditions.filter((condition) => condition !== undefined);
  // Every document has the fields of the conditions.
  return given.length === 0 ? filter : ({ $and: [filter, ...given] } as unknown as TenantFilter<D>);
}
