import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFileStore, type FileChunkDocument, type FileDocument, type FileStore } from './file-store.ts';

const tenantId = toTenantId('ours');
const time = new Date('2026-01-02T03:04:05Z');
const later = (seconds: number) => new Date(time.getTime() + seconds * 1_000);

let database: TestDatabase;
let store: FileStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createFileStore({
    files: database.db.collection<FileDocument>('files'),
    chunks: database.db.collection<FileChunkDocument>('file_chunks'),
  });
});
afterAll(() => database.drop());

const claim = (fileId: string, dueAt: Date) =>
  store.claim({ tenantId, responseId: 'r', heldBy: [], fileIds: [fileId] }, time, dueAt);

/** Stores a file and claims it for a response that is not stored. */
async function addClaimed(id: string) {
  const question = { id, tenantId, surveyId: 's', questionId: 'q' };
  await store.begin({ ...question, filename: undefined, size: 1, deleteAt: later(60) });
  await store.complete(tenantId, id, { size: 1, contentType: 'image/png', chunks: 0 }, later(3_600));
  expect(await claim(id, later(60))).toBe(0);
  const file = await store.find(tenantId, id);
  if (file === undefined) throw new Error('the file is not found');
  return file;
}

it('a file whose response was not stored is released until it expires', async () => {
  const file = await addClaimed('a');
  await store.releaseFile(file);
  expect(await store.find(tenantId, 'a')).toMatchObject({ state: 'ready', responseId: undefined, dueAt: later(3_600) });
});

it('a stalled sweeper does not release a file that was claimed again', async () => {
  const file = await addClaimed('b');
  expect(await claim('b', later(120))).toBe(0);
  await store.releaseFile(file);
  await store.destroy(file, time);
  expect(await store.find(tenantId, 'b')).toMatchObject({ state: 'claimed', responseId: 'r', dueAt: later(120) });
});
