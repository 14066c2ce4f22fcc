import type { Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { tenantCollection } from '../mongo/tenant-collection.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { makeEvent, type OutboxDocument, type OutboxEvent, outboxIndex, replaceWithTombstone } from './outbox-event.ts';
import { createOutboxStore } from './outbox-store.ts';

interface Note extends OutboxDocument {
  readonly tenant_id: TenantId;
  readonly slug?: string;
  readonly text: string;
}

const tenant = toTenantId('t1');

function eventOf(recordId: string, revision: number): OutboxEvent {
  const time = new Date(1_700_000_000_000 + revision);
  const rest = { topic: 'notes', source: '/notes', tenantId: tenant, data: {}, traceparent: '' };
  return makeEvent({ ...rest, recordId, revision, type: 'note.deleted', time });
}

describe('replaceWithTombstone', () => {
  let database: TestDatabase;
  let notes: Collection<Note>;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    const slugs = { name: 'slug', key: { slug: 1 }, unique: true, sparse: true };
    notes = await database.createCollection([outboxIndex, slugs]);
  });
  afterAll(() => database.drop());

  const insert = (_id: string, more: Partial<Note> = {}) =>
    notes.insertOne({ _id, tenant_id: tenant, slug: _id, text: 'secret', outbox: [], ...more });

  it('keeps only the old and new events, and hides the document from the tenant', async () => {
    await insert('a', { outbox: [eventOf('a', 1)] });
    expect(await replaceWithTombstone(notes, tenant, { _id: 'a' }, [eventOf('a', 2), eventOf('a', 3)])).toBe(true);
    const outbox = [eventOf('a', 1), eventOf('a', 2), eventOf('a', 3)];
    expect(await notes.findOne({ _id: 'a' })).toEqual({ _id: 'a', tombstone: true, outbox });
    expect(await tenantCollection(notes, tenant).findOne({ _id: 'a' })).toBeNull();
  });

  it('makes a document that the relay deletes when its events are published', async () => {
    await insert('a');
    await replaceWithTombstone(notes, tenant, { _id: 'a' }, [eventOf('a', 2)]);
    const outbox = createOutboxStore(notes as unknown as Collection<OutboxDocument>);
    await outbox.removeEvents(await outbox.findPage(10));
    expect(await notes.countDocuments()).toBe(0);
  });

  it('accepts a document without an outbox', async () => {
    await notes.insertOne({ _id: 'a', tenant_id: tenant, text: 'x' });
    expect(await replaceWithTombstone(notes, tenant, { _id: 'a' }, [eventOf('a', 1)])).toBe(true);
  });

  it('frees unique values immediately', async () => {
    for (const id of ['a', 'b', 'c']) {
      await insert(id, { slug: 'mine' });
      await replaceWithTombstone(notes, tenant, { _id: id }, [eventOf(id, 2)]);
    }
    await insert('d', { slug: 'mine' });
  });

  it.each([
    ['of another tenant', toTenantId('t2'), { _id: 'a' }],
    ['that is not there', tenant, { _id: 'b' }],
    ['that the filter leaves out', tenant, { _id: 'a', text: 'other' }],
  ])('does not change a document %s', async (_, owner, filter) => {
    await insert('a');
    expect(await replaceWithTombstone(notes, owner, filter, [eventOf('a', 2)])).toBe(false);
    expect(await notes.findOne({ _id: 'a' })).toMatchObject({ text: 'secret', outbox: [] });
  });

  it('happens once in concurrent calls', async () => {
    await insert('a');
    const all = Array.from({ length: 10 }, () => replaceWithTombstone(notes, tenant, { _id: 'a' }, [eventOf('a', 2)]));
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1);
    expect((await notes.findOne({ _id: 'a' }))?.outbox).toHaveLength(1);
  });

  it('rejects a filter that names the tenant', async () => {
    const filter = { tenant_id: 't2' } as unknown as { readonly _id: string };
    await expect(replaceWithTombstone(notes, tenant, filter, [eventOf('a', 2)])).rejects.toThrow(
      'Rejected by the tenant scope',
    );
  });

  it('is rolled back with its transaction', async () => {
    await insert('a');
    await database.client.withSession(async (session) => {
      session.startTransaction();
      expect(await replaceWithTombstone(notes, tenant, { _id: 'a' }, [eventOf('a', 2)], session)).toBe(true);
      await session.abortTransaction();
    });
    expect(await notes.findOne({ _id: 'a' })).toMatchObject({ text: 'secret' });
  });
});
