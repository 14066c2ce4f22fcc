import { randomBytes, randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Link, makeSlug } from './link.ts';
import { linkEvent } from './link-service.ts';
import { createLinkStore, type LinkDocument, type LinkStore, linkIndexes } from './link-store.ts';
import {
  createSlugStore,
  isChosen,
  type ReservationDocument,
  reservationIndexes,
  type SlugStore,
} from './slug-store.ts';

let database: TestDatabase;
let store: LinkStore;
let slugs: SlugStore;
/** Days after now. */
let day = 0;
const DAY_MS = 24 * 60 * 60_000;
const reservations = () => database.db.collection<ReservationDocument>('slug_reservations');
const collection = () => database.db.collection<LinkDocument>('links');

beforeAll(async () => {
  database = await createTestDatabase();
  const { db, client } = database;
  await ensureIndexes(db, { links: [...linkIndexes, outboxIndex], slug_reservations: reservationIndexes });
  const clock = () => new Date(Date.now() + day * DAY_MS);
  slugs = createSlugStore({ collection: reservations(), links: collection(), clock });
  store = createLinkStore({ collection: collection(), slugs, client, onEvent: () => undefined });
});
beforeEach(() => {
  day = 0;
});
afterAll(() => database.drop());

function newLink(change: Partial<Link> = {}): Link {
  const time = new Date();
  return {
    id: randomUUID(),
    tenantId: toTenantId('t1'),
    surveyId: 's-1',
    slug: randomUUID(),
    isSlugChosen: true,
    active: true,
    expiresAt: undefined,
    maxResponses: undefined,
    sealedTokenKey: undefined,
    tokenBatch: undefined,
    sealedPasswordHash: undefined,
    sealedMetadata: undefined,
    revision: 1,
    createdAt: time,
    updatedAt: time,
    createdBy: 'user-1',
    updatedBy: 'user-1',
    ...change,
  };
}

const by = ({ tenantId }: Link) => ({ tenantId, actor: 'user-1', requestId: 'r-1', traceparent: '' });
const insert = (link: Link) => store.insert(link, linkEvent(by(link), 'link.created', undefined, link));
const next = (link: Link, change: Partial<Link>): Link => ({ ...link, ...change, revision: link.revision + 1 });
const replace = (link: Link, change: Partial<Link>) =>
  store.replace(link, next(link, change), linkEvent(by(link), 'link.updated', link, next(link, change)));
const remove = (link: Link) => store.remove(link, linkEvent(by(link), 'link.deleted', link, next(link, {})));

describe('link store', () => {
  it('returns the first link for a repeated id', async () => {
    const first = await insert(newLink());
    expect(await insert(newLink({ id: first.id }))).toEqual(first);
    expect(await insert(first)).toEqual(first);
    expect(await store.find(first.tenantId, first.id)).toEqual(first);
  });

  it('gives a slug to one of 50 tenants that request it at once', async () => {
    const links = Array.from({ length: 50 }, (_, n) => newLink({ slug: 'lunch', tenantId: toTenantId(`t${n}`) }));
    const outcomes = await Promise.allSettled(links.map(insert));
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect([won.length, rejected]).toEqual([1, Array(49).fill('SLUG_TAKEN')]);
    expect(await store.findBySlug('lunch')).toEqual(won[0]);
  });

  it('gives a slug to one of 50 links that change to it at once', async () => {
    const links = await Promise.all(Array.from({ length: 50 }, () => insert(newLink())));
    const outcomes = await Promise.allSettled(links.map((link) => replace(link, { slug: 'dinner' })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await store.findBySlug('dinner'))?.revision).toBe(2);
  });

  it('has two tombstones at the same time', async () => {
    const links = [await insert(newLink()), await insert(newLink())];
    expect(await Promise.all(links.map(remove))).toEqual([true, true]);
    for (const { id } of links) expect(await collection().findOne({ _id: id })).toMatchObject({ tombstone: true });
  });

  it('distinguishes the id of a deleted link from a taken slug', async () => {
    const link = await insert(newLink({ slug: 'supper' }));
    await remove(link);
    await expect(insert(link)).rejects.toSatisfy((error) => isDuplicateKey(error, '_id'));
    await insert(newLink({ slug: 'supper' }));
    await expect(insert(newLink({ slug: 'supper' }))).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
  });

  it('writes only to the revision that was read', async () => {
    const link = await insert(newLink());
    expect(await replace(link, { active: false })).toBe(true);
    expect(await replace(link, { active: true })).toBe(false);
    expect(await remove(link)).toBe(false);
    expect(await store.find(link.tenantId, link.id)).toMatchObject({ active: false, revision: 2 });
  });

  it('finds links by an index on the tenant or the slug', async () => {
    const list = collection()
      .find({ tenant_id: toTenantId('t1'), survey_id: 's-1' })
      .sort({ created_at: -1, _id: -1 });
    for (const [cursor, index] of [
      [list, 'newest_first'],
      [collection().find({ slug: 'x' }), 'slug'],
    ] as const) {
      const plan = JSON.stringify((await cursor.explain('queryPlanner'))['queryPlanner'].winningPlan);
      expect(plan).toContain(`"indexName":"${index}"`);
      expect(plan).not.toMatch(/"(COLLSCAN|SORT)"/);
    }
  });
});

describe('a slug that a link had', () => {
  const [mine, other] = [toTenantId('mine'), toTenantId('other')];
  const take = (slug: string, tenantId = other) => insert(newLink({ slug, tenantId }));
  const rejected = { code: 'SLUG_TAKEN' };

  it('stays reserved for the tenant for 90 days after the deletion, and finds no link', async () => {
    await remove(await take('breakfast', mine));
    expect(await store.findBySlug('breakfast')).toBeUndefined();
    day = 89;
    await expect(take('breakfast')).rejects.toMatchObject(rejected);
    await expect(replace(await take('brunch'), { slug: 'breakfast' })).rejects.toMatchObject(rejected);
    day = 91;
    expect(await store.findBySlug('breakfast')).toBeUndefined();
    expect(await take('breakfast')).toMatchObject({ tenantId: other });
  });

  it('finds the renamed link for 90 days', async () => {
    const link = await take('tea-time', mine);
    await replace(link, { slug: 'tea' });
    expect(await store.findBySlug('tea-time')).toMatchObject({ id: link.id, slug: 'tea', revision: 2 });
    day = 89;
    expect(await store.findBySlug('tea-time')).toMatchObject({ id: link.id });
    await expect(take('tea-time')).rejects.toMatchObject(rejected);
    day = 91;
    expect(await store.findBySlug('tea-time')).toBeUndefined();
    await take('tea-time');
  });

  it('finds the renamed link even if it was generated', async () => {
    const link = await insert(newLink({ slug: '0123456789abcdef', isSlugChosen: false }));
    await replace(link, { slug: 'chosen-later', isSlugChosen: true });
    expect(await store.findBySlug('0123456789abcdef')).toMatchObject({ id: link.id, slug: 'chosen-later' });
  });

  it('is free immediately if it was generated and its link is deleted', async () => {
    await remove(await insert(newLink({ slug: 'abcdef0123456789', isSlugChosen: false })));
    await take('abcdef0123456789');
  });

  it.each([
    ['stored as chosen', { slug: 'abcdef0123456789', slug_chosen: true }, true],
    ['stored as generated', { slug: 'abcdef0123456789', slug_chosen: false }, false],
    ['of an earlier release', { slug: 'spring-2026' }, true],
    ['generated by an earlier release', { slug: 'abcdef0123456789' }, false],
    ['that an earlier release renamed', { slug: 'spring-2026', slug_chosen: false }, true],
  ])('and is %s counts as chosen: %o %s', (_name, document, expected) => {
    expect(isChosen(document)).toBe(expected);
  });

  it('can be taken back by its tenant', async () => {
    const renamed = await take('soup', mine);
    await replace(renamed, { slug: 'stew' });
    const next = await take('soup', mine);
    expect(await store.findBySlug('soup')).toMatchObject({ id: next.id });
    await remove(next);
    expect(await store.findBySlug('soup')).toBeUndefined();
    await replace((await store.find(mine, renamed.id)) ?? renamed, { slug: 'soup' });
    expect(await store.findBySlug('soup')).toMatchObject({ id: renamed.id });
    expect(await store.findBySlug('stew')).toMatchObject({ id: renamed.id, slug: 'soup' });
  });

  it('stays reserved if a change to it stores nothing', async () => {
    const link = await take('lost-update', mine);
    await remove(await take('kept-reserved', mine));
    await replace(link, { active: false });
    expect(await replace(link, { slug: 'kept-reserved' })).toBe(false);
    await expect(take('kept-reserved')).rejects.toMatchObject(rejected);
  });

  it('still finds the renamed link after a deletion that was based on an outdated link', async () => {
    const link = await take('picnic', mine);
    await replace(link, { slug: 'barbecue' });
    expect(await remove(link)).toBe(false);
    expect(await store.findBySlug('picnic')).toMatchObject({ id: link.id, slug: 'barbecue' });
  });

  it('is never free between a rename and a concurrent creation by another tenant', async () => {
    for (let round = 0; round < 20; round += 1) {
      const link = await take(`race-${round}`, mine);
      const renamed = replace(link, { slug: `raced-${round}` });
      const taken = await Promise.allSettled(Array.from({ length: 5 }, () => take(`race-${round}`)));
      expect(await renamed).toBe(true);
      for (const outcome of taken) expect(outcome).toMatchObject({ status: 'rejected', reason: rejected });
      expect(await store.findBySlug(`race-${round}`)).toMatchObject({ id: link.id });
    }
  });

  it('is reserved beside 999 others, and the oldest reservation goes first', async () => {
    const tenantId = toTenantId('busy');
    const freed = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({ slug: `busy-${from + n}`, linkId: randomUUID() }));
    await slugs.reserve(tenantId, freed(0, 1));
    day = 1;
    await slugs.reserve(tenantId, freed(1, 999));
    await expect(take('busy-0')).rejects.toMatchObject(rejected);
    await slugs.reserve(tenantId, freed(1_000, 1));
    expect(await reservations().countDocuments({ tenant_id: tenantId })).toBe(1_000);
    await take('busy-0');
    await expect(take('busy-1')).rejects.toMatchObject(rejected);
  });

  it('leaves only its hash when the tenant is erased, for 90 days', async () => {
    const tenantId = toTenantId('erased');
    const link = await take('supper-club', tenantId);
    await replace(link, { slug: 'dinner-club' });
    await slugs.reserveForErasure(tenantId);
    await collection().deleteMany({ tenant_id: tenantId });
    await slugs.reserveForErasure(tenantId);
    expect(await reservations().countDocuments({ tenant_id: tenantId })).toBe(0);
    const left = await reservations()
      .find({ until: { $gt: new Date() }, tenant_id: { $exists: false } })
      .toArray();
    expect(left.map((document) => Object.keys(document).sort())).toEqual([
      ['_id', 'until'],
      ['_id', 'until'],
    ]);
    expect(JSON.stringify(left)).not.toMatch(/club|erased/);
    day = 89;
    for (const slug of ['supper-club', 'dinner-club']) await expect(take(slug)).rejects.toMatchObject(rejected);
    expect(await store.findBySlug('supper-club')).toBeUndefined();
    day = 91;
    for (const slug of ['supper-club', 'dinner-club']) await take(slug);
  });

  it('stays reserved when its tenant is erased, beside newer links with 1,000 generated slugs', async () => {
    const tenantId = toTenantId('large');
    const chosen = await take('harvest-supper', tenantId);
    const stored = await collection().findOne({ _id: chosen.id });
    if (stored === null) throw new Error('the link is not stored');
    const { slug_chosen: _, ...fields } = stored;
    const later = new Date(Date.now() + 1_000);
    const generated = Array.from({ length: 1_000 }, () => {
      return { ...fields, _id: randomUUID(), created_at: later, slug: makeSlug(randomBytes), outbox: [] };
    });
    await collection().insertMany(generated);
    await slugs.reserveForErasure(tenantId);
    await collection().deleteMany({ tenant_id: tenantId });
    await expect(take('harvest-supper')).rejects.toMatchObject(rejected);
  });

  it('is found by an index', async () => {
    const cursor = reservations().find({ tenant_id: mine }).sort({ until: 1 });
    const plan = JSON.stringify((await cursor.explain('queryPlanner'))['queryPlanner'].winningPlan);
    expect(plan).toContain('"indexName":"tenant"');
    expect(plan).not.toMatch(/"(COLLSCAN|SORT)"/);
  });
});
