import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeletedResponseStore, createWriteFence } from '../responses/deleted-response-store.ts';
import type { Response } from '../responses/response.ts';
import { type ReplacedState, toReplaced } from '../responses/response-document-store.ts';
import { serviceDeletionEvents } from '../responses/response-events.ts';
import type { LedgerDocument } from '../seats/ledger.ts';
import { createLedgerStore } from '../seats/ledger-store.ts';
import { newPendingResponse, newResponse } from '../testing/new-response.ts';
import { createStoredResponses } from '../testing/stored-responses.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createTestSlices, createTestWindows, testStopwatch } from '../testing/test-stores.ts';
import { createFileSettlement, type FileSettlement } from './file-settlement.ts';
import { createFileStore, type FileChunkDocument, type FileDocument, type FileStore } from './file-store.ts';
import { createResponseFiles, type ResponseFiles, referencedFiles } from './response-files.ts';

// Each test is a process that stalls between its write to the files and its write to the response.

const START = new Date('2026-01-02T03:04:05Z');
const definition = newDefinition([{ id: 'q', type: 'file_upload' }]);
const { tenantId, surveyId } = definition;

let database: TestDatabase;
let stored: Awaited<ReturnType<typeof createStoredResponses>>;
let store: FileStore;
let settlement: FileSettlement;
let files: ResponseFiles;
let time = START;

beforeAll(async () => {
  database = await createTestDatabase();
  stored = await createStoredResponses(database.db);
  store = createFileStore({
    files: database.db.collection<FileDocument>('files'),
    chunks: database.db.collection<FileChunkDocument>('file_chunks'),
  });
  const { collection, responses, sealer } = stored;
  const clock = () => time;
  const fence = createWriteFence({ collection, windows: createTestWindows(database.db), clock });
  settlement = createFileSettlement({ store, responses, fence, sealer, clock });
  files = createResponseFiles({ store, settlement, clock, log: testLog });
});
afterAll(() => database.drop());

const hours = (count: number) => count * 3_600_000;
const seal = async (response: Response) => (await stored.sealer.forTenant(tenantId)).seal(response);
const insert = async (response: Response, replaced?: ReplacedState) =>
  stored.responses.put({ response: await seal(response), events: [], replaced, recheck: () => undefined });
/** Reads the tombstone with the id of a response, as a process does before it claims files. */
const readTombstone = async ({ id }: Response) => toReplaced((await stored.responses.findStates([id])).get(id));
const replace = async (before: Response, after: Response) => stored.responses.replace(before, await seal(after), []);
const claim = (response: Response) => files.claim(response, referencedFiles(definition, response.data));
const naming = (fileId: string, given: Partial<Response> = {}) =>
  newResponse(definition, { data: { q: [{ file_id: fileId }] }, ...given });
const next = (before: Response, change: Partial<Response>) => ({ ...before, ...change, revision: before.revision + 1 });

/** Stores a file that expires after an hour. */
async function addFile(): Promise<string> {
  time = START;
  const id = randomUUID();
  const expiresAt = new Date(START.getTime() + hours(1));
  await store.begin({ id, tenantId, surveyId, questionId: 'q', filename: undefined, size: 1, deleteAt: expiresAt });
  await store.complete(tenantId, id, { size: 1, contentType: 'image/png', chunks: 0 }, expiresAt);
  return id;
}

async function addResponse(given: Partial<Response> = {}) {
  const fileId = await addFile();
  const response = naming(fileId, given);
  await claim(response);
  expect(await insert(response)).toBe(true);
  await sweep(fileId);
  expect(await stateOf(fileId)).toBe('attached');
  return { fileId, response };
}

const stateOf = async (id: string) => (await store.find(tenantId, id))?.state;

/** Settles the file like the sweeper, once it is due. */
async function sweep(id: string): Promise<void> {
  const file = await store.find(tenantId, id);
  if (file?.dueAt === undefined) throw new Error('there is nothing to settle');
  time = new Date(Math.max(time.getTime(), file.dueAt.getTime() + 1));
  await settlement.settle(file);
}

it('a response that is inserted before the sweep keeps its files', async () => {
  const { fileId, response } = await addResponse();
  await expect(claim(naming(fileId))).rejects.toMatchObject({ code: 'INVALID_ANSWERS' });
  expect(await stored.responses.find(tenantId, response.id)).toBeDefined();
});

it('a response cannot be inserted after another one claimed its files', async () => {
  const fileId = await addFile();
  const [late, other] = [naming(fileId), naming(fileId)];
  await claim(late);
  await sweep(fileId);
  await claim(other);
  expect(await insert(late)).toBe(false);
  expect(await insert(other)).toBe(true);
  await sweep(fileId);
  expect(await store.find(tenantId, fileId)).toMatchObject({ state: 'attached', responseId: other.id });
});

it('a response cannot be inserted after its files expired and were destroyed', async () => {
  const fileId = await addFile();
  const late = naming(fileId);
  await claim(late);
  await sweep(fileId);
  await sweep(fileId);
  expect(await stateOf(fileId)).toBeUndefined();
  expect(await insert(late)).toBe(false);
});

it('a response with a limit cannot be inserted after its files were released, even if its seat was settled', async () => {
  const fileId = await addFile();
  const late = naming(fileId);
  await stored.collection.insertOne({ _id: late.id, status: 'void', revision: 0, outbox: [] } as never);
  const read = await readTombstone(late);
  await claim(late);
  await sweep(fileId);
  const ledgers = createLedgerStore({
    ledgers: database.db.collection<LedgerDocument>('ledgers'),
    responses: stored.collection,
    windows: createTestWindows(database.db),
    random: Math.random,
    onEvent: () => {},
    clock: () => new Date(),
    startStopwatch: testStopwatch,
  });
  const pending = newPendingResponse(await seal(late), [{ linkId: undefined, max: 5 }], read);
  expect(await ledgers.admit(definition, [pending])).toEqual(['duplicate']);
});

it('a repeated request takes its files back under another id', async () => {
  const fileId = await addFile();
  const [late, again] = [naming(fileId), naming(fileId)];
  await claim(late);
  await sweep(fileId);
  await files.claim(again, referencedFiles(definition, again.data), [late.id]);
  expect(await insert(again)).toBe(true);
});

it('a repeated request can be stored under its id however often its files were released', async () => {
  const fileId = await addFile();
  const response = naming(fileId);
  const attempts: (ReplacedState | undefined)[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    attempts.push(await readTombstone(response));
    await claim(response);
    await sweep(fileId);
    expect(await stateOf(fileId)).toBe('ready');
  }
  const last = await readTombstone(response);
  await claim(response);
  // No stalled attempt is stored.
  for (const replaced of attempts) expect(await insert(response, replaced)).toBe(false);
  expect(await insert(response, last)).toBe(true);
});

it('the files of a failed attempt are free at once, and an attempt with the same id that runs meanwhile fails', async () => {
  const fileId = await addFile();
  const [failed, other] = [naming(fileId), naming(fileId)];
  await claim(failed);
  await expect(claim(other)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await files.release(failed, referencedFiles(definition, failed.data));
  await claim(other);
  expect(await insert(failed)).toBe(false);
  expect(await insert(other)).toBe(true);
  await expect(claim(failed)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' });
});

it('files stay with a response that was stored although its attempt failed', async () => {
  const fileId = await addFile();
  const response = naming(fileId);
  await claim(response);
  expect(await insert(response)).toBe(true);
  await files.release(response, referencedFiles(definition, response.data));
  expect(await stateOf(fileId)).toBe('attached');
});

it('a response in progress keeps a file that a late save names', async () => {
  const before = newResponse(definition, { status: 'in_progress', completedAt: undefined });
  await insert(before);
  const fileId = await addFile();
  const after = next(before, { data: naming(fileId).data });
  const isSaved = await files.change(before, after, definition, async () => {
    await sweep(fileId);
    time = new Date(time.getTime() + hours(2));
    await sweep(fileId);
    return replace(before, after);
  });
  expect(isSaved).toBe(true);
  await sweep(fileId);
  expect(await stateOf(fileId)).toBe('attached');
});

it('a late correction cannot name a file that was released', async () => {
  const before = newResponse(definition);
  await insert(before);
  const fileId = await addFile();
  const after = next(before, { data: naming(fileId).data });
  const isCorrected = await files.change(before, after, definition, async () => {
    await sweep(fileId);
    expect(await stateOf(fileId)).toBe('ready');
    return replace(before, after);
  });
  expect(isCorrected).toBe(false);
});

it.each(['in_progress', 'completed'] as const)(
  'a late change of a response that is %s cannot drop a file that was settled',
  async (status) => {
    const { fileId, response } = await addResponse({ status });
    const change = (before: Response, write: (after: Response) => Promise<boolean>) => {
      const after = next(before, { status: 'completed', data: {} });
      return files.change(before, after, definition, () => write(after));
    };
    const isLate = await change(response, async (after) => {
      await sweep(fileId);
      return replace(response, after);
    });
    expect([isLate, await stateOf(fileId)]).toEqual([false, 'attached']);
    const current = next(response, {});
    expect(await change(current, (after) => replace(current, after))).toBe(true);
    expect(await stateOf(fileId)).toBeUndefined();
  },
);

it('a change that loses to a concurrent one at the same time keeps its files', async () => {
  const [{ fileId, response }, other] = [await addResponse(), await addFile()];
  const both = next(response, { data: { q: [fileId, other].map((id) => ({ file_id: id })) } });
  expect(await files.change(response, both, definition, () => replace(response, both))).toBe(true);
  const change = (named: string, write: (after: Response) => Promise<boolean>) => {
    const after = next(both, { data: naming(named).data });
    return files.change(both, after, definition, () => write(after));
  };
  const isLate = await change(other, async (after) => {
    expect(await change(fileId, (winner) => replace(both, winner))).toBe(true);
    return replace(both, after);
  });
  expect([isLate, await stateOf(fileId), await stateOf(other)]).toEqual([false, 'dropping', undefined]);
  await sweep(fileId);
  expect(await stateOf(fileId)).toBe('attached');
});

it('a late deletion cannot leave a file that was settled', async () => {
  const { fileId, response } = await addResponse();
  const deleted = createDeletedResponseStore({
    collection: stored.collection,
    windows: createTestWindows(database.db),
    slices: createTestSlices(database.db),
    onEvent: () => {},
  });
  const remove = async (before: Response) => {
    const head = { ...before, requestHash: undefined };
    return deleted.remove(head, serviceDeletionEvents(head, time));
  };
  const isLate = await files.remove(response, async () => {
    await sweep(fileId);
    return remove(response);
  });
  expect([isLate, await stateOf(fileId)]).toEqual([false, 'attached']);
  const current = next(response, {});
  expect(await files.remove(current, () => remove(current))).toBe(true);
  expect(await stateOf(fileId)).toBeUndefined();
});

it('a change that a killed process stored is completed by the sweeper', async () => {
  const { fileId, response } = await addResponse();
  const after = next(response, { data: {} });
  const killed = files.change(response, after, definition, async () => {
    expect(await replace(response, after)).toBe(true);
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  expect(await stateOf(fileId)).toBe('dropping');
  await sweep(fileId);
  expect(await stateOf(fileId)).toBeUndefined();
});
