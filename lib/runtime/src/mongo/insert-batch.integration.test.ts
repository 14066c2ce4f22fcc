import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { insertBatch } from './insert-batch.ts';
import type { TenantDocument } from './tenant-collection.ts';

interface Note extends TenantDocument {
  readonly text: string;
}

const note = (_id: string, tenant: string, text = 'x'): Note => ({ _id, tenant_id: toTenantId(tenant), text });

describe('insertBatch', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('tells each caller what became of its own document', async () => {
    const validator = { text: { $type: 'string' } };
    const notes = await database.db.createCollection<Note>('notes', { validator });
    await notes.insertOne(note('there', 'a'));
    // Refused by the server: not what the validator asks for.
    const invalid = { ...note('bad', 'a'), text: 1 } as unknown as Note;
    const outcomes = await insertBatch(notes, [
      note('n1', 'a'),
      note('there', 'a'),
      invalid,
      note('n2', 'b'),
      note('n2', 'b'),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['inserted', 'duplicate', 'failed', 'inserted', 'duplicate']);
    expect((await notes.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(['n1', 'n2', 'there']);
  });

  it('throws when the write as a whole fails', async () => {
    const other = database.client.db(database.db.databaseName, { writeConcern: { w: 5, wtimeoutMS: 1 } });
    await expect(insertBatch(other.collection<Note>('others'), [note('x', 'a')])).rejects.toThrow();
  });
});
