import { randomUUID } from 'node:crypto';
import { fileOf, type ImportFile } from '@survey/formats/files/import-file';
import { DETECT_ALL } from '@survey/formats/tables/table-options';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterEach, describe, expect, it } from 'vitest';
import { itemsOf, NOTHING_JUDGED } from './batches.ts';
import type { ImportOptions } from './read-import.ts';
import { createReading, type Reading, type ReadingKind, type ReadingOutcome } from './reading.ts';

const options: ImportOptions = {
  kind: 'survey',
  source: 'table',
  format: 'csv',
  location: '',
  surveyId: randomUUID(),
  origin: 'o',
  requestedAt: undefined,
  title: 'T',
  language: 'en',
  preserveIds: true,
  validateLogic: true,
  importResponses: true,
  mayImportResponses: true,
  unmask: undefined,
  table: DETECT_ALL,
  answers: { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false },
  dryRun: false,
  emitEvents: true,
};
const requestOf = (tenantId: TenantId, from = NOTHING_JUDGED) => ({ tenantId, options, payload: undefined, from });
const TABLE = `Timestamp,Color\n${'2024-05-01 10:00:00,red\n2024-05-01 11:00:00,green\n'.repeat(300)}`;

let reading: Reading | undefined;
let ended: string[] = [];
afterEach(async () => {
  await reading?.stop();
  ended = [];
});

/** Limits that ordinary files do not reach even on a slow machine; those given are reached. */
function start(given: Partial<{ cpuMs: number; heapMb: number }> = {}): Reading {
  const limits = { slots: 2, slotsPerTenant: 1, heapMb: 256, cpuMs: 600_000, cpuMsPerMb: 0, ...given };
  const onEnd = (kind: ReadingKind, outcome: ReadingOutcome) => void ended.push(`${kind} ${outcome}`);
  const created = createReading({
    log: testLog,
    now: () => performance.now(),
    onEnd,
    limits: { call: limits, job: limits },
  });
  reading = created;
  return created;
}

const tenant = () => toTenantId(randomUUID());
const ignored = { warn: () => {} };

async function readAll(from: Reading, file: ImportFile, request = requestOf(tenant()), kind: ReadingKind = 'call') {
  const warnings: FieldProblem[] = [];
  const session = from.readImport(kind, request, { file, warn: (warning) => warnings.push(warning) });
  try {
    const read = await session.read();
    const batches = await Array.fromAsync(session.batches());
    return { read, batches, responses: batches.flatMap(({ bytes }) => itemsOf(bytes)), warnings };
  } finally {
    session.close();
  }
}

/** A file whose end never comes. */
function endless(onOpen: () => void): ImportFile {
  return {
    size: 1_000_000,
    async *open() {
      onOpen();
      yield Buffer.from('Timestamp,Color\n');
      await new Promise(() => {});
    },
  };
}

describe('reading in threads', () => {
  it('gives the survey, then all responses in order, with dates and warnings', async () => {
    const { read, responses } = await readAll(start(), fileOf(TABLE));
    expect(read).toMatchObject({ questions: 1, survey: { status: 'closed' } });
    expect(responses.map(({ index }) => index)).toEqual(Array.from({ length: 600 }, (_, index) => index));
    expect(responses[1]).toMatchObject({ payload: { completedAt: new Date('2024-05-01T11:00:00Z') } });
    expect(ended).toEqual(['call done']);
  });

  it('judges only the responses after those that are kept already, and counts as if it had judged all', async () => {
    const file = fileOf(`Timestamp,Color\n${',red\n2024-05-01 11:00:00,green\n'.repeat(300)}`);
    const [from, owner] = [start(), tenant()];
    const whole = await readAll(from, file, requestOf(owner));
    const [first, ...others] = whole.batches;
    const rest = await readAll(from, file, requestOf(owner, first?.judged));
    expect(rest.batches).toEqual(others);
    expect(others).toHaveLength(2);
    expect(rest.warnings).toEqual(whole.warnings);
    expect(whole.warnings).toContainEqual(expect.objectContaining({ code: 'TIME_ASSUMED' }));
  });

  it('asks once for each piece of a file, however often the reader goes through it', async () => {
    const asked: number[] = [];
    const pieces = TABLE.match(/[\s\S]{1,5000}/g) ?? [];
    const file: ImportFile = {
      size: TABLE.length,
      async *open() {
        for (const [index, piece] of pieces.entries()) {
          asked.push(index);
          yield Buffer.from(piece);
        }
      },
    };
    const { responses } = await readAll(start(), file);
    expect(responses).toHaveLength(600);
    expect(asked).toEqual(pieces.map((_, index) => index));
  });

  it('rejects an invalid file with its error', async () => {
    await expect(readAll(start(), fileOf('a,"b\n'))).rejects.toMatchObject({
      code: 'INVALID_IMPORT',
      errors: [{ code: 'BAD_CSV' }],
    });
    expect(ended).toEqual(['call failed']);
  });

  it('fails with the error because of which the file cannot be read', async () => {
    const gone = new Error('gone');
    const file: ImportFile = {
      size: 1,
      // biome-ignore lint/correctness/useYield: the file fails before its first piece
      async *open() {
        throw gone;
      },
    };
    await expect(readAll(start(), file)).rejects.toBe(gone);
  });

  it('plans a file', async () => {
    const plan = { given: {}, filename: 'a.csv', unmask: undefined, table: DETECT_ALL, isPartial: false };
    const found = await start().planImport(tenant(), { plan, payload: undefined }, fileOf(TABLE));
    expect(found).toMatchObject({ source: 'google_forms', format: 'csv', rows: 600 });
    expect(found.columns[1]?.contents).toBeInstanceOf(Map);
  });

  it('rejects a file that takes too much time, and replaces the thread', async () => {
    const from = start({ cpuMs: 1 });
    await expect(
      readAll(
        from,
        endless(() => {}),
      ),
    ).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
    await expect(
      readAll(
        from,
        endless(() => {}),
      ),
    ).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
    expect(ended).toEqual(['call too_complex', 'call too_complex']);
  });

  it('rejects a file that takes too much memory, and the process lives', async () => {
    const rows = `Timestamp,Color\n${Array.from({ length: 200_000 }, (_, at) => `2024-05-01 10:00:00,c${at}\n`).join('')}`;
    await expect(readAll(start({ heapMb: 24 }), fileOf(rows), requestOf(tenant()), 'job')).rejects.toMatchObject({
      code: 'FILE_TOO_COMPLEX',
    });
    expect(ended).toEqual(['job too_complex']);
  });

  it('serves other tenants while one tenant holds its thread', async () => {
    const from = start();
    const opened = Promise.withResolvers<void>();
    const slow = requestOf(tenant());
    const held = from.readImport('call', slow, { ...ignored, file: endless(opened.resolve) });
    const failed = held.read().catch(() => 'stopped');
    await opened.promise;
    let isServed = false;
    const second = readAll(from, fileOf(TABLE), slow).then(() => {
      isServed = true;
    });
    expect((await readAll(from, fileOf(TABLE))).responses).toHaveLength(600);
    // The tenant has a second thread only after the first has ended.
    expect(isServed).toBe(false);
    held.close();
    expect(await failed).toBe('stopped');
    await second;
  });

  it('stops a reading whose responses are not taken', async () => {
    const from = start();
    const session = from.readImport('call', requestOf(tenant()), { ...ignored, file: fileOf(TABLE) });
    await session.read();
    for await (const _ of session.batches()) break;
    session.close();
    const owner = requestOf(tenant());
    const waiting = from.readImport('call', owner, { ...ignored, file: fileOf(TABLE) });
    await waiting.read();
    waiting.close();
    expect((await readAll(from, fileOf(TABLE), owner)).responses).toHaveLength(600);
  });
});
