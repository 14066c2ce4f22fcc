import { hash } from 'node:crypto';
import { BSON } from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import type { TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';

/** The times that lists can be sorted by. */
type ListTime = 'created_at' | 'updated_at';

/** A document with the time that a list is sorted by. */
export type ListedDocument<Time extends ListTime = 'created_at'> = TenantDocument & Readonly<Record<Time, Date>>;

/** Latest first, or earliest first. */
export type ListOrder = 'desc' | 'asc';

/** Everything that tells one list from another: a cursor is good for one list only. */
export interface ListScope {
  readonly collection: string;
  readonly tenantId: string;
  readonly filter: object;
  readonly by: ListTime;
  readonly order: ListOrder;
}

/** A position in a list: after the document with this time and id. */
interface PagePosition {
  /** Name of the list: see `toListName`. */
  readonly list: string;
  readonly time: Date;
  readonly id: string;
}

export interface Page<D> {
  readonly items: D[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/** Which page of a list is asked for. */
export interface PageQuery {
  /** How many documents at the most. */
  readonly limit: number;
  /** Where the page before ended; undefined for the first one. */
  readonly cursor?: string | undefined;
  /** Latest first when undefined. */
  readonly order?: ListOrder | undefined;
}

/** Fields that a list does not read; what it reads of a document then, the caller says. */
type PageProjection = Readonly<Record<string, 0>>;

const MAX_CURSOR_LENGTH = 1_000;
/** Of a digest in base64url: two lists of a tenant have the same by chance once in 2^96. */
const LIST_NAME_LENGTH = 16;
const DEFAULT_LIMIT = 50;
/** What is read of a list at once, in bytes of BSON. A page ends early at the document that goes over this. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The page that a list request asks for: its first 50 entries where it says nothing. */
export function toPageQuery({
  limit = DEFAULT_LIMIT,
  cursor,
}: {
  limit?: number | undefined;
  cursor: string;
}): PageQuery {
  return { limit, cursor: cursor === '' ? undefined : cursor };
}

/** A name that two lists share only if they have the same collection, tenant, filter and order. */
export function toListName({ collection, tenantId, filter, by, order }: ListScope): string {
  const words = BSON.EJSON.stringify([collection, tenantId, by, order, sorted(filter)]);
  return hash('sha256', words, 'base64url').slice(0, LIST_NAME_LENGTH);
}

/** The same whatever the order of members, and of texts in arrays such as those of `$in` and `$all`. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

/** A position as an opaque word that is safe in a URL. */
export function encodeCursor({ list, time, id }: PagePosition): string {
  return Buffer.from(JSON.stringify([list, time.getTime(), id])).toString('base64url');
}

/**
 * The position in a cursor of the list of this name. Throws `INVALID_CURSOR` for anything but the exact words that
 * `encodeCursor` makes for that list.
 */
export function decodeCursor(cursor: string, list: string): PagePosition {
  const position = cursor.length > MAX_CURSOR_LENGTH ? undefined : readPosition(cursor, list);
  // One position has one spelling: padding, spaces, other alphabets and other JSON for the same value are refused.
  if (position === undefined || encodeCursor(position) !== cursor) throw new AppError('INVALID_CURSOR');
  return position;
}

/** One page of a tenant's documents, newest first unless the query says otherwise: `findPageBy` their `created_at`. */
export function findPage<D extends ListedDocument, T extends ListedDocument = D>(
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  query: PageQuery,
  projection?: PageProjection,
): Promise<Page<T>> {
  return findPageBy('created_at', collection, filter, query, projection);
}

/**
 * One page of a tenant's documents in the order of (time, _id), latest first unless the query says otherwise. Give the
 * index the filter's equality fields and then these two. `limit` is the most that come back, and 16 MiB, but one document
 * at least. Pages neither skip nor repeat what does not change. The cursor of another collection, tenant, filter or order
 * is rejected with `INVALID_CURSOR`.
 */
export async function findPageBy<
  Time extends ListTime,
  D extends ListedDocument<Time>,
  T extends ListedDocument<Time> = D,
>(
  by: Time,
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  { limit, cursor, order = 'desc' }: PageQuery,
  projection?: PageProjection,
): Promise<Page<T>> {
  const list = toListName({ ...collection.scope, filter, by, order });
  const query = cursor === undefined ? filter : { $and: [filter, after(by, order, decodeCursor(cursor, list))] };
  const direction = order === 'desc' ? -1 : 1;
  // The condition is on fields that every listed document has.
  const found = collection.find<T>(query as TenantFilter<D>, {
    sort: { [by]: direction, _id: direction },
    limit: limit + 1,
    ...(projection === undefined ? {} : { projection }),
  });
  const items: T[] = [];
  let bytes = 0;
  for await (const document of found) {
    const last = items.at(-1);
    bytes += BSON.calculateObjectSize(document);
    if (last !== undefined && (items.length === limit || bytes > MAX_PAGE_BYTES))
      return { items, nextCursor: encodeCursor({ list, time: last[by], id: last._id }) };
    items.push(document);
  }
  return { items };
}

/** The bound on the time alone lets the index start at the right place; `$or` would scan from the first. */
function after(by: ListTime, order: ListOrder, { time, id }: PagePosition) {
  if (order === 'asc') return { [by]: { $gte: time }, $or: [{ [by]: { $gt: time } }, { _id: { $gt: id } }] };
  return { [by]: { $lte: time }, $or: [{ [by]: { $lt: time } }, { _id: { $lt: id } }] };
}

function readPosition(cursor: string, list: string): PagePosition | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [ofList, ms, id]: unknown[] = value;
  if (ofList !== list) return undefined;
  if (typeof ms !== 'number' || typeof id !== 'string' || id === '') return undefined;
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? undefined : { list, time, id };
}
