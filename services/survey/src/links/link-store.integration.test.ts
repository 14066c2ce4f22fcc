import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Link } from './link.ts';
import { linkEvent } from './link-events.ts';
import type { LinkStore } from './link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './link-store.ts';

let database: TestDatabase;
let store: LinkStore;
const collection = () => database.db.collection<LinkDocument>('links');

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { links: [...linkIndexes, outboxIndex] });
  store = createLinkStore({ collection: collection(), onEvent: () => undefined });
});
afterAll(() => database.drop());

function newLink(change: Partial<Link> = {}): Link {
  const time = new Date();
  return {
    id: randomUUID(),
    tenantId: toTenantId('t1'),
    surveyId: 's-1',
    slug: randomUUID(),
    active: true,
    expiresAt: undefined,
    maxResponses: undefined,
    tokenKey: undefined,
    tokenBatch: undefined,
    passwordHash: undefined,
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

  it('frees the slug of a deleted link before its event is published', async () => {
    const link = await insert(newLink({ slug: 'breakfast' }));
    expect(await remove(link)).toBe(true);
    expect(await collection().findOne({ _id: link.id })).toMatchObject({ tombstone: true });
    expect(await store.findBySlug('breakfast')).toBeUndefined();
    const other = await insert(newLink({ slug: 'breakfast', tenantId: toTenantId('t2') }));
    expect(await store.findBySlug('breakfast')).toEqual(other);
    // Two tombstones can coexist.
    expect(await remove(other)).toBe(true);
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
