import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFileStore, type FileChunkDocument, type FileDocument, type FileStore } from './file-store.ts';
import type { NamedFile } from './named-files.ts';
import { createResponseFiles, type ResponseFiles } from './response-files.ts';

const tenantId = toTenantId('ours');
const START = new Date('2026-01-02T03:04:05Z');

let database: TestDatabase;
let store: FileStore;
let files: ResponseFiles;
let time = START;

beforeAll(async () => {
  database = await createTestDatabase();
  store = createFileStore({
    files: database.db.collection<FileDocument>('files'),
    chunks: database.db.collection<FileChunkDocument>('file_chunks'),
  });
  const settlement = { settle: () => Promise.reject(new Error('it is not to be called')) };
  files = createResponseFiles({ store, settlement, clock: () => time, log: testLog });
});
afterAll(() => database.drop());

const pass = (seconds: number) => {
  time = new Date(time.getTime() + seconds * 1_000);
};
const responseOf = (id: string) => ({ tenantId, surveyId: 's', id });

/** A ready file, as an answer names it. */
async function addFile(fileId: string): Promise<readonly NamedFile[]> {
  time = START;
  const expiresAt = new Date(START.getTime() + 3_600_000);
  const file = { id: fileId, tenantId, surveyId: 's', questionId: 'q', filename: undefined, size: 1 };
  await store.begin({ ...file, dueAt: expiresAt });
  await store.complete(tenantId, fileId, { size: 1, contentType: 'image/png', chunks: 0 }, expiresAt);
  // The members of a question that are read.
  return [{ fileId, question: { id: 'q', dataPath: '/data/q' } as NamedFile['question'] }];
}

/** Releases the file like a sweeper that finds an expired claim of a response that is not stored yet. */
async function sweep(fileId: string): Promise<void> {
  const file = await store.find(tenantId, fileId);
  if (file?.dueAt === undefined || file.dueAt > time) throw new Error('the claim is not over');
  await store.releaseFile(file);
}

it('a response that is stored after its files were released claims them again', async () => {
  const named = await addFile('a');
  await files.claim(responseOf('late'), named);
  pass(61);
  await sweep('a');
  expect(await store.find(tenantId, 'a')).toMatchObject({ state: 'ready', responseId: undefined });
  await files.confirm(responseOf('late'), named, START);
  expect(await store.find(tenantId, 'a')).toMatchObject({ state: 'claimed', responseId: 'late' });
  await expect(files.claim(responseOf('other'), named)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' });
});

it('a response that is stored late does not take a file from another one that claimed it meanwhile', async () => {
  const named = await addFile('b');
  await files.claim(responseOf('late'), named);
  pass(61);
  await sweep('b');
  await files.claim(responseOf('other'), named);
  await files.confirm(responseOf('late'), named, START);
  expect(await store.find(tenantId, 'b')).toMatchObject({ state: 'claimed', responseId: 'other' });
});
