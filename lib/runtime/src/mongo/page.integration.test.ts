import { type Collection, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { findPage, findPageBy, type ListedDocument } from './page.ts';
import { type TenantCollection, type TenantFilter, tenantCollection } from './tenant-collection.ts';
import { type ListOrder, WALK_LIMITS } from './walk.ts';

interface Entry extends ListedDocument<'created_at' | 'updated_at'> {
  readonly status: string;
}

const tenant = toTenantId('ours');
const at = (ms: number) => new Date(1_700_000_000_000 + ms);

describe('findPage', () => {
  let database: TestDatabase;
  let collection: Collection<Entry>;

  beforeAll(async () => {
    database = await createTestDatabase();
    collection = database.db.collection('entries');
  });
  beforeEach(async () => {
    await collection.deleteMany({});
  });
  afterAll(() => database.drop());

  async function insert(id: string, created_at: Date, status = 'open') {
    await collection.insertOne({ _id: id, tenant_id: tenant, created_at, updated_at: created_at, status });
  }

  async function walk(limit: number, filter: TenantFilter<Entry> = {}, order?: ListOrder) {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await findPage(tenantCollection(collection, tenant), filter, { limit, cursor, order });
      pages.push(page.items.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return pages;
  }

  it('returns every document once, newest first, then by id', async () => {
    await insert('a', at(0));
    for (const id of ['b', 'c', 'd', 'e']) await insert(id, at(1));
    await insert('f', at(2));
    expect(await walk(2)).toEqual([
      ['f', 'e'],
      ['d', 'c'],
      ['b', 'a'],
    ]);
    expect(await walk(4)).toEqual([
      ['f', 'e', 'd', 'c'],
      ['b', 'a'],
    ]);
    expect(await walk(6)).toEqual([['f', 'e', 'd', 'c', 'b', 'a']]);
  });

  it('returns every document once, oldest first, with cursors for that order only', async () => {
    await insert('a', at(0));
    for (const id of ['b', 'c', 'd', 'e']) await insert(id, at(1));
    await insert('f', at(2));
    expect(await walk(2, {}, 'asc')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
    const ours = tenantCollection(collection, tenant);
    const { nextCursor: cursor } = await findPage(ours, {}, { limit: 2, order: 'asc' });
    for (const order of ['desc', undefined] as const)
      await expect(findPage(ours, {}, { limit: 2, cursor, order })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('ends a page of large documents early', async () => {
    const large = 'x'.repeat(7 * 1024 * 1024);
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await insert(id, at(index), large);
    expect(await walk(1_000)).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });

  it('does not read excluded fields, so more documents fit on a page', async () => {
    const large = 'x'.repeat(7 * 1024 * 1024);
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await insert(id, at(index), large);
    const scope = tenantCollection(collection, tenant);
    const page = await findPage<Entry, Omit<Entry, 'status'>>(scope, {}, { limit: 10 }, { projection: { status: 0 } });
    expect(page.items.map(({ _id }) => _id)).toEqual(['d', 'c', 'b', 'a']);
    for (const item of page.items) expect(item).not.toHaveProperty('status');
  });

  it('applies the filter to every page', async () => {
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries())
      await insert(id, at(0), index % 2 === 0 ? 'open' : 'done');
    expect(await walk(1, { $or: [{ status: 'open' }, { status: 'other' }] })).toEqual([['c'], ['a']]);
  });

  it('returns no document of another tenant', async () => {
    await collection.insertOne({
      _id: 'x',
      tenant_id: toTenantId('theirs'),
      created_at: at(0),
      updated_at: at(0),
      status: 'open',
    });
    expect(await walk(10)).toEqual([[]]);
  });

  it('neither repeats nor skips documents when others are inserted between pages', async () => {
    for (const [index, id] of ['a', 'b', 'c'].entries()) await insert(id, at(index));
    const first = await findPage(tenantCollection(collection, tenant), {}, { limit: 2 });
    await insert('z', at(10));
    const second = await findPage(tenantCollection(collection, tenant), {}, { limit: 2, cursor: first.nextCursor });
    expect([first.items, second.items].map((items) => items.map(({ _id }) => _id))).toEqual([['c', 'b'], ['a']]);
  });

  it('sorts by the requested time, with cursors for that time only', async () => {
    const ours = tenantCollection(collection, tenant);
    for (const [index, id] of ['a', 'b', 'c'].entries()) await insert(id, at(index));
    await collection.updateOne({ _id: 'a' }, { $set: { updated_at: at(10) } });
    const first = await findPageBy('updated_at', ours, {}, { limit: 2 });
    expect(first.items.map(({ _id }) => _id)).toEqual(['a', 'c']);
    const next = { limit: 2, cursor: first.nextCursor };
    expect((await findPageBy('updated_at', ours, {}, next)).items.map(({ _id }) => _id)).toEqual(['b']);
    await expect(findPage(ours, {}, next)).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  describe.each(['desc', 'asc'] as const)('of a filter that few documents match (%s)', (order) => {
    const limits = { singleReadMs: 0, timeMs: 0, slice: 3 };
    const filter = { status: 'rare' };
    const ids = Array.from({ length: 20 }, (_, index) => `entry-${String(index).padStart(2, '0')}`);

    beforeEach(async () => {
      // Several documents have the same time, also at the end of a slice.
      for (const [index, id] of ids.entries())
        await insert(id, at(Math.floor(index / 4)), [1, 2, 9, 17].includes(index) ? 'rare' : 'open');
    });

    async function walkSlices(limit: number, given = limits, ours = tenantCollection(collection, tenant)) {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await findPage(ours, filter, { limit, cursor, order }, { within: {}, limits: given });
        pages.push(page.items.map(({ _id }) => _id.slice(-2)));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    }
    const inOrder = (found: readonly string[]) => (order === 'asc' ? found : found.toReversed());

    it('ends each page when the time is over, short or empty, and continues on the next', async () => {
      const pages = await walkSlices(10);
      expect(pages).toHaveLength(7);
      expect(pages.filter((page) => page.length === 0).length).toBeGreaterThan(2);
      expect(pages.flat()).toEqual(inOrder(['01', '02', '09', '17']));
    });

    it('fills pages from several slices while there is time', async () => {
      const pages = await walkSlices(3, { ...limits, timeMs: 60_000 });
      expect(pages.map(({ length }) => length)).toEqual([3, 1]);
      expect(pages.flat()).toEqual(inOrder(['01', '02', '09', '17']));
      expect((await walkSlices(1)).flat()).toEqual(inOrder(['01', '02', '09', '17']));
    });

    it('reads slices only if the whole list takes too long', async () => {
      const ours = tenantCollection(collection, tenant);
      const failing: TenantCollection<Entry> = {
        ...ours,
        find(condition, options) {
          if (options?.maxTimeMS !== 5) return ours.find(condition, options);
          throw new MongoServerError({ message: 'operation exceeded time limit', code: 50 });
        },
      };
      const slow = { singleReadMs: 5, timeMs: 60_000, slice: 3 };
      expect(await walkSlices(3, { ...WALK_LIMITS, slice: 3 })).toEqual(await walkSlices(3, slow, failing));
    });
  });

  it('rejects a cursor of another list', async () => {
    const page = findPage(tenantCollection(collection, tenant), {}, { limit: 1, cursor: 'x' });
    await expect(page).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
