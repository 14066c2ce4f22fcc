import type { Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import { type TenantCollection, type TenantDocument, tenantCollection } from './tenant-collection.ts';

interface Note extends TenantDocument {
  readonly text: string;
  readonly stars: number;
}

const ours = toTenantId('ours');
const theirs = toTenantId('theirs');
const theirNote: Note = { _id: 't1', tenant_id: theirs, text: 'secret', stars: 5 };

describe('a tenant scope', () => {
  let database: TestDatabase;
  let collection: Collection<Note>;
  let notes: TenantCollection<Note>;

  beforeAll(async () => {
    database = await createTestDatabase();
    collection = database.db.collection('notes');
    notes = tenantCollection(collection, ours);
  });
  beforeEach(async () => {
    await collection.deleteMany({});
    await collection.insertOne(theirNote);
    await notes.insertOne({ _id: 'a', text: 'first', stars: 1 });
    await notes.insertOne({ _id: 'b', text: 'second', stars: 2 });
  });
  afterAll(() => database.drop());

  const idsOf = async (filter: Parameters<typeof notes.find>[0]) =>
    (await notes.find(filter).toArray()).map(({ _id }) => _id);

  it('finds only documents of its tenant, with any filter', async () => {
    expect(await idsOf({})).toEqual(['a', 'b']);
    expect(await idsOf({ $or: [{ stars: { $gt: 0 } }, { text: 'secret' }] })).toEqual(['a', 'b']);
    expect(await notes.findOne({ _id: 't1' })).toBeNull();
    expect(await notes.countDocuments({})).toBe(2);
  });

  it('aggregates only its own documents', async () => {
    const sums = await notes.aggregate([{ $group: { _id: null, stars: { $sum: '$stars' } } }]).toArray();
    expect(sums).toEqual([{ _id: null, stars: 3 }]);
  });

  it('adds its tenant to new documents', async () => {
    await notes.insertOne({ _id: 'c', text: 'third', stars: 3 });
    expect(await collection.findOne({ _id: 'c' })).toEqual({ _id: 'c', tenant_id: ours, text: 'third', stars: 3 });
  });

  it('adds its tenant to upserted documents', async () => {
    const made = await notes.findOneAndUpdate({ _id: 'd' }, { $set: { text: 'new', stars: 0 } }, { upsert: true });
    expect(made).toEqual({ _id: 'd', tenant_id: ours, text: 'new', stars: 0 });
  });

  it('cannot take over the document of another tenant with an upsert', async () => {
    const taken = notes.updateOne({ _id: 't1' }, { $set: { text: 'mine' } }, { upsert: true });
    await expect(taken).rejects.toSatisfy(isDuplicateKey);
    expect(await collection.findOne({ _id: 't1' })).toEqual(theirNote);
  });

  it('cannot change or delete documents of another tenant', async () => {
    await notes.updateOne({ _id: 't1' }, { $set: { text: 'changed' } });
    await notes.updateMany({}, { $inc: { stars: 10 } });
    await notes.findOneAndUpdate({ _id: 't1' }, [{ $set: { text: 'changed' } }]);
    await notes.deleteOne({ _id: 't1' });
    await notes.deleteMany({});
    expect(await collection.find().toArray()).toEqual([theirNote]);
  });

  it('rejects before anything is sent', async () => {
    // @ts-expect-error a filter cannot name the tenant
    expect(() => notes.find({ tenant_id: theirs })).toThrow('Rejected by the tenant scope');
    await expect(notes.updateOne({}, { $set: { tenant_id: theirs } })).rejects.toThrow('Rejected by the tenant scope');
    expect(() => notes.aggregate([{ $lookup: { from: 'notes', as: 'x', pipeline: [] } }])).toThrow('$lookup');
    const foreign = { ...theirNote, _id: 'x' };
    await expect(notes.insertOne(foreign)).rejects.toThrow('Rejected by the tenant scope');
    expect(() => tenantCollection(collection, toTenantId(''))).toThrow('needs a tenant');
  });
});
