import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { insertOnce } from './insert-once.ts';
import { countSlots, type SlotDocument, slotIndex, withSlot } from './slots.ts';
import { tenantCollection } from './tenant-collection.ts';

interface Note extends SlotDocument {
  readonly folder: string;
}

const MAX = 5;
const tenantId = toTenantId('ours');

let database: TestDatabase;
let notes: Collection<Note>;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  notes = await database.createCollection<Note>([slotIndex('folder')]);
});
afterAll(() => database.drop());

/** Each call looks for a slot independently, like separate processes. */
function insert(folder: string, id: string = randomUUID(), tenant = tenantId) {
  const collection = tenantCollection(notes, tenant);
  return withSlot({ collection, group: { folder }, max: MAX, id }, (slot) =>
    insertOnce(collection, { _id: id, folder, slot }),
  );
}
const count = (folder: string) =>
  countSlots({ collection: tenantCollection(notes, tenantId), group: { folder }, max: MAX });

describe('slots', () => {
  it('are never more than the limit in concurrent calls', async () => {
    const stored = await Promise.all(Array.from({ length: 40 }, () => insert('a')));
    expect(stored.filter((note) => note !== undefined)).toHaveLength(MAX);
    const slots = (await notes.find().toArray()).map(({ slot }) => slot);
    expect(slots.toSorted()).toEqual([0, 1, 2, 3, 4]);
  });

  it('are not given away while a group has more documents than the limit, which was higher before', async () => {
    const before = Array.from({ length: MAX + 2 }, (_, slot) => ({ _id: `old-${slot}`, folder: 'a', slot: slot + 3 }));
    await notes.insertMany(before.map((note) => ({ ...note, tenant_id: tenantId })));
    expect(await insert('a')).toBeUndefined();
    expect(await insert('a', 'old-6')).toMatchObject({ slot: 9 });
    await notes.deleteMany({ _id: { $in: ['old-0', 'old-1', 'old-2'] } });
    expect((await insert('a'))?.slot).toBeLessThan(MAX);
    expect(await insert('a')).toBeUndefined();
  });

  it('are freed by documents that are deleted or lose the field', async () => {
    const [first, second] = await Promise.all(Array.from({ length: MAX }, () => insert('a')));
    expect(await insert('a')).toBeUndefined();
    await notes.deleteOne({ _id: first?._id ?? '' });
    await notes.updateOne({ _id: second?._id ?? '' }, { $unset: { slot: true } });
    expect(await count('a')).toBe(MAX - 2);
    const stored = await Promise.all(Array.from({ length: 10 }, () => insert('a')));
    expect(stored.filter((note) => note !== undefined)).toHaveLength(2);
  });

  it('are kept by a document that is inserted again, even if all are taken', async () => {
    const id = randomUUID();
    const first = await insert('a', id);
    await Promise.all(Array.from({ length: MAX - 1 }, () => insert('a')));
    expect(await insert('a', id)).toEqual(first);
    expect(await notes.countDocuments()).toBe(MAX);
  });

  it('belong to one group of one tenant', async () => {
    await Promise.all(Array.from({ length: MAX }, () => insert('a')));
    expect(await insert('b')).toBeDefined();
    expect(await insert('a', randomUUID(), toTenantId('theirs'))).toBeDefined();
    expect([await count('a'), await count('b')]).toEqual([MAX, 1]);
  });

  it('pass on other errors of the write', async () => {
    const collection = tenantCollection(notes, tenantId);
    const failing = withSlot({ collection, max: MAX, id: randomUUID() }, () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
  });
});
