import { hash } from 'node:crypto';
import { BSON } from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import type { TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';

/** Times that lists can be sorted by. */
type ListTime = 'created_at' | 'updated_at';

/** A document with the time that its list is sorted by. */
export type ListedDocument<Time extends ListTime = 'created_at'> = TenantDocument & Readonly<Record<Time, Date>>;

/** Newest first, or oldest first. */
export type ListOrder = 'desc' | 'asc';

/** Identifies a list: a cursor is valid for one list only. */
export interface ListScope {
  readonly collection: string;
  readonly tenantId: string;
  readonly filter: object;
  /** Field that the list is sorted by. */
  readonly by: string;
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
  /** Start of the next page; undefined on the last one. */
  readonly nextCursor?: string;
}

export interface PageQuery {
  readonly limit: number;
  /** Start of the page; undefined for the first one. */
  readonly cursor?: string | undefined;
  /** Default: newest first. */
  readonly order?: ListOrder | undefined;
}

/** Fields that are not read. The caller must give the type of the remaining document. */
type PageProjection = Readonly<Record<string, 0>>;

const MAX_CURSOR_LENGTH = 1_000;
/** Characters of a base64url digest, 96 bits: lists of a tenant practically never share a name. */
const LIST_NAME_LENGTH = 16;
const DEFAULT_LIMIT = 50;
/** Maximum size of a page, in bytes of BSON. A page ends before the document that exceeds it. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The page of a list request; default: the first 50 entries. */
export function toPageQuery({
  limit = DEFAULT_LIMIT,
  cursor,
}: {
  limit?: number | undefined;
  cursor: string;
}): PageQuery {
  return { limit, cursor: cursor === '' ? undefined : cursor };
}

/** A name for the list, derived from its collection, tenant, filter and order. */
export function toListName({ collection, tenantId, filter, by, order }: ListScope): string {
  const text = BSON.EJSON.stringify([collection, tenantId, by, order, sorted(filter)]);
  return hash('sha256', text, 'base64url').slice(0, LIST_NAME_LENGTH);
}

/** Normalizes the order of members, and of texts in arrays such as those of `$in` and `$all`. */
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

/** Encodes a position as opaque text that is safe in URLs. */
export function encodeCursor({ list, time, id }: PagePosition): string {
  return toOpaqueText([list, time.getTime(), id]);
}

/**
 * Decodes a cursor of this list. Throws `INVALID_CURSOR` for any text that `encodeCursor` does not produce for the
 * list.
 */
export function decodeCursor(cursor: string, list: string): PagePosition {
  const position = readPosition(cursor, list);
  // Reject other encodings of the same position, such as padding or spaces.
  if (position === undefined || encodeCursor(position) !== cursor) throw new AppError('INVALID_CURSOR');
  return position;
}

/** A page of a tenant's documents by `created_at`; see `findPageBy`. */
export function findPage<D extends ListedDocument, T extends ListedDocument = D>(
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  query: PageQuery,
  projection?: PageProjection,
): Promise<Page<T>> {
  return findPageBy('created_at', collection, filter, query, projection);
}

/**
 * A page of a tenant's documents, sorted by time and `_id`, newest first by default. The index needs the equality
 * fields of the filter, then these two.
 * A page has up to `limit` documents and 16 MiB, but at least one document. Pages neither skip nor repeat unchanged
 * documents. Throws `INVALID_CURSOR` for a cursor of another list.
 */
export async function findPageBy<
  Time extends ListTime,
  D extends ListedDocument<Time>,
  T extends ListedDocument<Time> = D,
>(
  timeField: Time,
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  { limit, cursor, order = 'desc' }: PageQuery,
  projection?: PageProjection,
): Promise<Page<T>> {
  const list = toListName({ ...collection.scope, filter, by: timeField, order });
  const query =
    cursor === undefined ? filter : { $and: [filter, afterPosition(timeField, decodeCursor(cursor, list), order)] };
  const direction = order === 'desc' ? -1 : 1;
  // Every listed document has the fields of the condition.
  const found = collection.find<T>(query as TenantFilter<D>, {
    sort: { [timeField]: direction, _id: direction },
    limit: limit + 1,
    ...(projection === undefined ? {} : { projection }),
  });
  const items: T[] = [];
  let bytes = 0;
  for await (const document of found) {
    const last = items.at(-1);
    bytes += BSON.calculateObjectSize(document);
    if (last !== undefined && (items.length === limit || bytes > MAX_PAGE_BYTES))
      return { items, nextCursor: encodeCursor({ list, time: last[timeField], id: last._id }) };
    items.push(document);
  }
  return { items };
}

/**
 * A condition for documents after a position in the order of a time and `_id`. The redundant bound on the time lets
 * MongoDB seek in the index; with `$or` alone, it would scan from the start.
 *
 * @param field name of the time
 */
export function afterPosition<Field extends string>(
  field: Field,
  { time, id }: { readonly time: Date; readonly id: string },
  order: ListOrder = 'asc',
) {
  const [from, beyond] = order === 'asc' ? (['$gte', '$gt'] as const) : (['$lte', '$lt'] as const);
  // TypeScript does not know that a computed name is of the type of the field.
  const bound = (operator: string) => ({ [field]: { [operator]: time } }) as Record<Field, Record<string, Date>>;
  return { ...bound(from), $or: [bound(beyond), { _id: { [beyond]: id } }] };
}

/** Encodes the values of a cursor as opaque text that is safe in URLs. */
export function toOpaqueText(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * Returns the values of a cursor; none for any other text. Accepts other encodings of the same values, such as padding.
 */
export function readOpaqueText(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CURSOR_LENGTH) return [];
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

function readPosition(cursor: string, list: string): PagePosition | undefined {
  const [cursorList, ms, id, ...rest] = readOpaqueText(cursor);
  if (cursorList !== list || rest.length > 0) return undefined;
  if (typeof ms !== 'number' || typeof id !== 'string' || id === '') return undefined;
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? undefined : { list, time, id };
}
