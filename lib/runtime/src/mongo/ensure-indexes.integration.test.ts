import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { ensureIndexes, type IndexSpecs } from './ensure-indexes.ts';

const specs: IndexSpecs = {
  notes: [
    { name: 'by_text', key: { tenant_id: 1, text: 1 }, unique: true },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 60 },
  ],
  others: [{ name: 'by_time', key: { created_at: -1 } }],
};

describe('ensureIndexes', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const namesOf = async (collection: string) =>
    (await database.db.collection(collection).indexes()).map(({ name }) => name);

  it('creates missing indexes, also repeatedly and concurrently', async () => {
    await Promise.all([ensureIndexes(database.db, specs), ensureIndexes(database.db, specs)]);
    await ensureIndexes(database.db, specs);
    expect(await namesOf('notes')).toEqual(['_id_', 'by_text', 'expiry']);
    expect(await namesOf('others')).toEqual(['_id_', 'by_time']);
  });

  it('keeps other indexes', async () => {
    await database.db.collection('others').createIndex({ x: 1 }, { name: 'theirs' });
    await ensureIndexes(database.db, specs);
    expect(await namesOf('others')).toContain('theirs');
  });

  it.each([
    ['another key', { name: 'by_text', key: { text: 1 } }],
    ['another option', { name: 'by_text', key: { tenant_id: 1, text: 1 } }],
    ['another name', { name: 'by_text_2', key: { tenant_id: 1, text: 1 }, unique: true }],
    ['another time', { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 61 }],
  ])('names the index that exists with %s', async (_, index) => {
    await ensureIndexes(database.db, specs);
    const conflict = ensureIndexes(database.db, { notes: [index] });
    await expect(conflict).rejects.toThrow(
      `the index ${index.name} of ${database.db.databaseName}.notes: it exists with another`,
    );
  });

  it('names the unique index that documents violate', async () => {
    const notes = database.db.collection('notes');
    await notes.insertMany([{ text: 'same' }, { text: 'same' }]);
    await expect(ensureIndexes(database.db, specs)).rejects.toThrow('Cannot create the index by_text');
  });
});
