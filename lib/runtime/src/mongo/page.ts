import { BSON, type Sort } from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import type { TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';

/** A document that lists can be sorted by. */
export interface ListedDocument extends TenantDocument {
  readonly created_at: Date;
}

/** A place in a list that is sorted newest first: after the document with this time and id. */
export interface PagePosition {
  readonly created_at: Date;
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
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const satisfies Sort;
const MAX_CURSOR_LENGTH = 1_000;
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

/** A position as an opaque word that is safe in a URL. */
export function encodeCursor(position: PagePosition): string {
  return Buffer.from(JSON.stringify([position.created_at.getTime(), position.id])).toString('base64url');
}

/** The position in a cursor. Throws `INVALID_CURSOR` for anything but the exact words that `encodeCursor` makes. */
export function decodeCursor(cursor: string): PagePosition {
  const position = cursor.length > MAX_CURSOR_LENGTH ? undefined : readPosition(cursor);
  // One position has one spelling: padding, spaces, other alphabets and other JSON for the same value are refused.
  if (position === undefined || encodeCursor(position) !== cursor) throw new AppError('INVALID_CURSOR');
  return position;
}

/**
 * One page of a tenant's documents, newest first by (created_at, _id). Give the index the filter's equality fields and
 * then these two. `limit` is the most that come back, and 16 MiB, but one document at least; pages neither skip nor
 * repeat what does not change.
 */
export async function findPage<D extends ListedDocument>(
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  { limit, cursor }: PageQuery,
): Promise<Page<D>> {
  const query = cursor === undefined ? filter : { $and: [filter, after(decodeCursor(cursor))] };
  // The condition is on fields that every listed document has.
  const found = collection.find(query as TenantFilter<D>, { sort: NEWEST_FIRST, limit: limit + 1 });
  const items: D[] = [];
  let bytes = 0;
  for await (const document of found) {
    const last = items.at(-1);
    bytes += BSON.calculateObjectSize(document);
    if (last !== undefined && (items.length === limit || bytes > MAX_PAGE_BYTES))
      return { items, nextCursor: encodeCursor({ created_at: last.created_at, id: last._id }) };
    items.push(document);
  }
  return { items };
}

/** The bound on the time alone lets the index start at the right place; `$or` would scan from the newest. */
function after({ created_at, id }: PagePosition) {
  return { created_at: { $lte: created_at }, $or: [{ created_at: { $lt: created_at } }, { _id: { $lt: id } }] };
}

function readPosition(cursor: string): PagePosition | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [time, id]: unknown[] = value;
  if (typeof time !== 'number' || typeof id !== 'string' || id === '') return undefined;
  const created_at = new Date(time);
  return Number.isNaN(created_at.getTime()) ? undefined : { created_at, id };
}
