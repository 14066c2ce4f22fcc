import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { startTcpProxy } from '../testing/network/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { insertBatch } from './insert-batch.ts';
import { fromMongoError } from './mongo-errors.ts';
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

  it('returns the outcome of each document', async () => {
    const validator = { text: { $type: 'string' } };
    const notes = await database.db.createCollection<Note>('notes', { validator });
    await notes.insertOne(note('there', 'a'));
    // The validator of the collection rejects this document.
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

  it('throws if the whole write fails', async () => {
    const other = database.client.db(database.db.databaseName, { writeConcern: { w: 5, wtimeoutMS: 1 } });
    await expect(insertBatch(other.collection<Note>('others'), [note('x', 'a')])).rejects.toThrow();
  });

  it('throws UNAVAILABLE if the server rejects documents that are not at fault', async () => {
    // A view rejects all documents, so it simulates such a server.
    await database.db.createCollection('view', { viewOn: 'notes' });
    const view = database.db.collection<Note>('view');
    await expect(insertBatch(view, [note('x', 'a')])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('throws UNAVAILABLE if the connection fails before the reply', async () => {
    const proxy = await startTcpProxy(database.client.options.hosts[0]?.toString() ?? '');
    const client = new MongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 300,
    });
    const notes = client.db(database.db.databaseName).collection<Note>('notes');
    await insertBatch(notes, [note('before', 'a')]);
    await proxy.close();
    const error: unknown = await insertBatch(notes, [note('lost', 'a')]).catch((thrown: unknown) => thrown);
    await client.close();
    expect(fromMongoError(error)).toMatchObject({ code: 'UNAVAILABLE' });
  });
});
