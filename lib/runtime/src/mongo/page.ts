import { hash } from 'node:crypto';
import { BSON } from 'mongodb';
import { AppError } from '../errors/app-error.ts';
import type { TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';
import { type ListOrder, type Position, readSlices, type TimeLimit, WALK_LIMITS, type WalkLimits } from './walk.ts';

type ListTime = 'created_at' | 'updated_at';

/** A document with the time that its list is sorted by. */
export type ListedDocument<Time extends ListTime = 'created_at'> = TenantDocument & Readonly<Record<Time, Date>>;

/** Identifies a list: a cursor is valid for one list only. */
export interface ListScope {
  readonly collection: string;
  readonly tenantId: string;
  readonly filter: object;
  /** Field that the list is sorted by. */
  readonly by: string;
  readonly order: ListOrder;
  /** See `PageQuery`. */
  readonly selection?: string | undefined;
}

/** A position in a list: after the document with this time and id. */
interface PagePosition extends Position {
  readonly listDigest: string;
}

/** If the search for a page reaches its time limit, the page is short or empty, but has a `nextCursor`. */
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
  /** Time limit of the search, in milliseconds. It can only lower the limit of `WALK_LIMITS`. */
  readonly timeMs?: number | undefined;
  /** A selection that the caller applies to the documents. Cursors of another selection are rejected. */
  readonly selection?: string | undefined;
}

interface PageOptions<D extends TenantDocument> {
  /** Fields that are not read. The caller must give the type of the remaining document. */
  readonly projection?: Readonly<Record<string, 0>>;
  /**
   * The part of the filter that an index serves: see `Walk`. Default: the whole filter. Set it if few of the documents
   * in this part of the index match the rest of the filter.
   */
  readonly within?: TenantFilter<D>;
  readonly limits?: WalkLimits | undefined;
}

const MAX_CURSOR_LENGTH = 1_000;
/** Characters of a base64url digest, 96 bits: lists of a tenant practically never share a digest. */
const LIST_DIGEST_LENGTH = 16;
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

/** A short digest of the collection, tenant, filter and order. It distinguishes lists. */
export function toListDigest({ collection, tenantId, filter, by, order, selection }: ListScope): string {
  const selected = selection === undefined ? [] : [selection];
  const text = BSON.EJSON.stringify([collection, tenantId, by, order, normalized(filter), ...selected]);
  return hash('sha256', text, 'base64url').slice(0, LIST_DIGEST_LENGTH);
}

/** Sorts members, and arrays of texts. In a filter, only `$in` and `$all` have such arrays, and ignore their order. */
function normalized(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(normalized);
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, normalized(member)]);
}

/** Encodes a position as opaque text that is safe in URLs. */
export function encodeCursor({ listDigest, time, id }: PagePosition): string {
  return toOpaqueText([listDigest, time.getTime(), id]);
}

/** Decodes a cursor. Throws `INVALID_CURSOR` for any text that `encodeCursor` does not produce for this list. */
export function decodeCursor(cursor: string, listDigest: string): PagePosition {
  const position = readPosition(cursor, listDigest);
  // Reject other encodings of the same position, such as padding or spaces.
  if (position === undefined || encodeCursor(position) !== cursor) throw new AppError('INVALID_CURSOR');
  return position;
}

/** A page of a tenant's documents by `created_at`; see `findPageBy`. */
export function findPage<D extends ListedDocument, T extends ListedDocument = D>(
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  query: PageQuery,
  options?: PageOptions<D>,
): Promise<Page<T>> {
  return findPageBy('created_at', collection, filter, query, options);
}

/**
 * A page of a tenant's documents, sorted by time and `_id`, newest first by default. The index needs the equality
 * fields of the filter, followed by the time and `_id`. A page has up to `limit` documents and 16 MiB. If the search
 * for a page takes too long, the page is short or empty, and the next page continues at its end. Pages neither skip nor
 * repeat unchanged documents. Throws `INVALID_CURSOR` for a cursor of another list.
 */
export async function findPageBy<
  Time extends ListTime,
  D extends ListedDocument<Time>,
  T extends ListedDocument<Time> = D,
>(
  timeField: Time,
  collection: TenantCollection<D>,
  filter: TenantFilter<D>,
  { limit, cursor, order = 'desc', timeMs: requestedMs = Number.POSITIVE_INFINITY, selection }: PageQuery,
  { projection, within = filter, limits = WALK_LIMITS }: PageOptions<D> = {},
): Promise<Page<T>> {
  const listDigest = toListDigest({ ...collection.scope, filter, by: timeField, order, selection });
  const timeMs = Math.min(limits.timeMs, requestedMs);
  const deadline = performance.now() + timeMs;
  const direction = order === 'desc' ? -1 : 1;
  const items: T[] = [];
  let bytes = 0;

  /** Reads documents for the page until it is full. `isCut` means that more documents match than fit on the page. */
  async function read(condition: TenantFilter<D>, timeLimit: TimeLimit) {
    const added: T[] = [];
    let addedBytes = 0;
    const found = collection.find<T>(condition, {
      sort: { [timeField]: direction, _id: direction },
      limit: limit + 1 - items.length,
      ...(projection === undefined ? {} : { projection }),
      ...timeLimit,
    });
    for await (const document of found) {
      const count = items.length + added.length;
      const size = BSON.calculateObjectSize(document);
      // The first document is always on the page, even if it is too large.
      if (count > 0 && (count === limit || bytes + addedBytes + size > MAX_PAGE_BYTES))
        return { added, addedBytes, isCut: true };
      added.push(document);
      addedBytes += size;
    }
    return { added, addedBytes, isCut: false };
  }

  const toCursor = ({ time, id }: Position) => encodeCursor({ listDigest, time, id });
  const after = cursor === undefined ? undefined : decodeCursor(cursor, listDigest);
  // The query is a walk: a single read, or if that takes too long, one read for each slice of the index.
  const walk = { collection, by: timeField, order, within, filter };
  const walkLimits = { ...limits, singleReadMs: Math.min(limits.singleReadMs, Math.ceil(timeMs)) };
  // Usually there is one slice, with all documents. `end` is undefined after the last slice: see `readSlices`.
  for await (const { result, end } of readSlices(walk, after, read, walkLimits)) {
    items.push(...result.added);
    bytes += result.addedBytes;
    const last = items.at(-1);
    if (last !== undefined && result.isCut)
      return { items, nextCursor: toCursor({ time: last[timeField], id: last._id }) };
    if (end !== undefined && (items.length === limit || performance.now() >= deadline))
      return { items, nextCursor: toCursor(end) };
  }
  return { items };
}

/** The cursor of the page that begins after a document of the list of `findPage`. */
export function cursorAfter<D extends ListedDocument>(
  { scope }: Pick<TenantCollection<D>, 'scope'>,
  filter: TenantFilter<D>,
  { order = 'desc', selection }: Pick<PageQuery, 'order' | 'selection'>,
  last: Position,
): string {
  return encodeCursor({ listDigest: toListDigest({ ...scope, filter, by: 'created_at', order, selection }), ...last });
}

/** Encodes the values of a cursor as opaque text that is safe in URLs. */
export function toOpaqueText(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Returns the values of a cursor; none for any other text. Accepts other encodings of the values, such as padding. */
export function readOpaqueText(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CURSOR_LENGTH) return [];
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

function readPosition(cursor: string, listDigest: string): PagePosition | undefined {
  const [cursorDigest, ms, id, ...rest] = readOpaqueText(cursor);
  if (cursorDigest !== listDigest || rest.length > 0) return undefined;
  if (typeof ms !== 'number' || typeof id !== 'string' || id === '') return undefined;
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? undefined : { listDigest, time, id };
}
