import { ensureIndexes, type IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportIndexes, inspectIndexes } from './inspect-indexes.ts';

const specs: IndexSpecs = {
  notes: [
    { name: 'by_text', key: { tenant_id: 1, text: 1 }, unique: true },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 60 },
  ],
  others: [{ name: 'open', key: { created_at: -1 }, partialFilterExpression: { status: 'open' } }],
};

describe('inspectIndexes', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('finds nothing after set-up, and ignores further indexes', async () => {
    await ensureIndexes(database.db, specs);
    await database.db.collection('others').createIndex({ x: 1 }, { name: 'theirs' });
    expect(await inspectIndexes(database.db, specs)).toEqual([]);
  });

  it('finds all indexes of an empty database', async () => {
    expect(await inspectIndexes(database.db, specs)).toEqual([
      { collection: 'notes', index: 'by_text', problem: 'missing' },
      { collection: 'notes', index: 'expiry', problem: 'missing' },
      { collection: 'others', index: 'open', problem: 'missing' },
    ]);
  });

  it.each([
    ['the order of the key', { name: 'by_text', key: { text: 1, tenant_id: 1 }, unique: true }],
    ['an option', { name: 'by_text', key: { tenant_id: 1, text: 1 } }],
  ])('finds an index that differs in %s', async (_, index) => {
    await ensureIndexes(database.db, { ...specs, notes: [index] });
    const problems = await inspectIndexes(database.db, { notes: specs['notes']?.slice(0, 1) ?? [] });
    expect(problems).toEqual([{ collection: 'notes', index: 'by_text', problem: 'different' }]);
  });

  it.each([
    ['it never expires documents', {}],
    ['it expires them later', { expireAfterSeconds: 60 }],
  ])('finds an index that should expire documents at their time, but %s', async (_, options) => {
    const expiry = { name: 'expiry', key: { expires_at: 1 } } as const;
    const expected = { notes: [{ ...expiry, expireAfterSeconds: 0 }] };
    await ensureIndexes(database.db, { notes: [{ ...expiry, ...options }] });
    expect(await inspectIndexes(database.db, expected)).toEqual([
      { collection: 'notes', index: 'expiry', problem: 'different' },
    ]);
  });

  it('counts an option that is off as absent', async () => {
    const off = { name: 'by_text', key: { text: 1 }, unique: false } as const;
    await ensureIndexes(database.db, { notes: [off] });
    expect(await inspectIndexes(database.db, { notes: [{ name: 'by_text', key: { text: 1 } }] })).toEqual([]);
    expect(await inspectIndexes(database.db, { notes: [off] })).toEqual([]);
  });

  it('exports what set-up creates', async () => {
    await ensureIndexes(database.db, specs);
    await database.db.collection('empty').insertOne({});
    expect(await exportIndexes(database.db)).toEqual(specs);
  });
});
