import { randomUUID } from 'node:crypto';
import { fileOf } from '@survey/formats/files/import-file';
import { DETECT_ALL } from '@survey/formats/tables/table-options';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTHING_JUDGED } from '../reading/batches.ts';
import type { ImportOptions } from '../reading/read-import.ts';
import { type Import, NO_PROGRESS } from './import.ts';
import type { ImportDocument } from './import-document.ts';
import { createImportErrorStore, type ImportErrorsDocument } from './import-error-store.ts';
import { createImportService } from './import-service.ts';
import { createImportStore, type ImportStore, importIndexes } from './import-store.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import type { Prepare } from './prepare-import.ts';
import { toReport } from './report.ts';
import { createImportRun } from './run-import.ts';

const options: ImportOptions = {
  kind: 'survey',
  source: 'custom',
  format: 'json',
  location: '',
  surveyId: 's',
  origin: 'o',
  requestedAt: undefined,
  title: '',
  language: 'en',
  preserveIds: true,
  validateLogic: true,
  importResponses: true,
  mayImportResponses: true,
  unmask: undefined,
  table: DETECT_ALL,
  answers: { onInvalidAnswer: 'reject', partialResponses: 'in_progress', includeTests: false },
  dryRun: false,
  emitEvents: true,
};
const clock = () => new Date();
/** The clock of the database is behind that of the process. */
const DATABASE_TIME = new Date('2024-05-01T10:00:00Z');
const unexpected = () => Promise.reject(new Error('it is not to be called'));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { imports: importIndexes });
});
afterAll(() => database.drop());

const createFile = () => ({ id: randomUUID(), size: 1, pieces: 1 });

/** The service with a received file, and a store that may fail. */
function createAccepting(
  change: (store: ImportStore) => Partial<ImportStore> = () => ({}),
  prepare: Prepare = unexpected,
) {
  const real = createImportStore({ collection: database.db.collection<ImportDocument>('imports'), onEvent: () => {} });
  const store = { ...real, ...change(real) };
  const collection = database.db.collection<ImportErrorsDocument>('import_errors');
  const errors = createImportErrorStore({ collection, clock });
  const surveys = { store: unexpected, getPayload: unexpected };
  const responses = { store: unexpected, areStored: unexpected };
  const metrics = { addRows: () => {}, ended: () => {} };
  const discarded: string[] = [];
  const imports = createImportService({
    onDue: () => {},
    store,
    errors,
    staging: {
      async receive(_tenantId, bytes) {
        for await (const _ of bytes);
        return { file: fileOf(''), staged: createFile(), digest: undefined };
      },
      open: () => fileOf(''),
      discard: async (_tenantId, id) => {
        discarded.push(id);
      },
    },
    spooling: {
      async add(_tenantId, _file, { batches }, { judged }) {
        return { ...judged, batches: batches + 1, isComplete: false };
      },
      complete: unexpected,
    },
    prepare,
    reading: { planImport: unexpected },
    run: createImportRun({ store, errors, surveys, responses, metrics, clock, now: () => performance.now() }),
    startRenewal: createLeaseRenewal({ store, clock, leaseMs: 60_000, log: testLog }),
    surveys,
    clock,
    databaseTime: async () => DATABASE_TIME,
    newId: randomUUID,
    leaseMs: 60_000,
    log: testLog,
  });
  const caller = { tenantId: toTenantId(randomUUID()), actor: 'user-1', requestId: '', traceparent: '' };
  const jobId = randomUUID();
  const begin = (staged = createFile(), id = jobId) =>
    imports.begin(id, caller, options, { file: fileOf(''), staged, digest: undefined });
  /** Ends a job like the process that runs it. */
  async function end({ job }: { readonly job: Import }): Promise<boolean> {
    const collection = database.db.collection<ImportDocument>('imports');
    await collection.updateOne({ _id: job.id }, { $set: { claim: 'mine' } });
    const ending = { kind: 'read', failure: undefined } as const;
    const contents = {
      questions: 0,
      progress: NO_PROGRESS,
      warnings: [],
      moreWarnings: 0,
      errors: [],
      omissions: [],
      ending,
    };
    return real.end(job, 'mine', { report: toReport(job, contents), progress: NO_PROGRESS, time: clock(), events: [] });
  }

  return { jobId, imports, caller, discarded, createFile, begin, end, tenantId: caller.tenantId };
}

it('an import begins at a time of the database, which also has the times of deletions', async () => {
  const { imports, tenantId, jobId, begin } = createAccepting();
  await begin();
  expect((await imports.get(tenantId, jobId)).createdAt).toEqual(DATABASE_TIME);
});

describe('a staged file', () => {
  it('is kept if its job is stored, whatever fails later', async () => {
    const { imports, tenantId, discarded, createFile, begin } = createAccepting();
    const file = createFile();
    const failWithLostKey = async () => {
      await begin(file);
      throw new AppError('UNAVAILABLE');
    };
    await expect(imports.withStagedFile(tenantId, file, failWithLostKey)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(discarded).toEqual([]);
  });

  it('is kept if the job was stored but the reply was lost', async () => {
    const { imports, tenantId, discarded, createFile, begin } = createAccepting((store) => ({
      async beginJob(...given) {
        await store.beginJob(...given);
        throw new Error('the line broke');
      },
    }));
    const file = createFile();
    await expect(imports.withStagedFile(tenantId, file, () => begin(file))).rejects.toThrow('the line broke');
    expect(discarded).toEqual([]);
  });

  it('is kept if it is unknown whether a job needs it', async () => {
    const { imports, tenantId, discarded, createFile, begin } = createAccepting(() => ({
      needsFile: () => Promise.reject(new Error('away')),
    }));
    const file = createFile();
    expect(await imports.withStagedFile(tenantId, file, () => begin(file))).toHaveProperty('job');
    expect(discarded).toEqual([]);
  });

  it('is deleted without a job, or if another call created it', async () => {
    const { imports, tenantId, discarded, createFile, begin, jobId } = createAccepting();
    const [first, second, third] = [createFile(), createFile(), createFile()];
    for (const file of [first, second]) {
      const begun = await imports.withStagedFile(tenantId, file, () => begin(file));
      expect(begun).toMatchObject({ job: { id: jobId } });
    }
    const rejected = () => Promise.reject(new AppError('SURVEY_NOT_FOUND'));
    await expect(imports.withStagedFile(tenantId, third, rejected)).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    expect(discarded).toEqual([second.id, third.id]);
  });
});

describe('a tenant with a hundred unfinished imports', () => {
  it('cannot start another one, but can repeat a request', async () => {
    const { begin, createFile, imports, caller } = createAccepting();
    for (let wave = 0; wave < 3; wave += 1)
      await Promise.all(Array.from({ length: 33 }, () => begin(createFile(), randomUUID())));
    const last = await begin();
    const quota = { name: 'unfinished-imports', requests: 100 };
    const rejected = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 60, quota };
    await expect(begin(createFile(), randomUUID())).rejects.toMatchObject(rejected);
    await expect(imports.checkBeforeUpload(caller, undefined)).rejects.toMatchObject(rejected);
    expect(await begin()).toMatchObject({ job: { id: 'job' in last ? last.job.id : '' } });
  });
});

describe('two replicas that start many imports of a tenant concurrently', () => {
  it('start exactly a hundred, and one more for each that ends', async () => {
    const replicas = [createAccepting(), createAccepting()] as const;
    const [{ caller, createFile, end }] = replicas;
    /** Returns the started jobs. The others are rejected. */
    async function beginAll(count: number): Promise<readonly { readonly job: Import }[]> {
      const attempts = Array.from({ length: count }, (_, index) => {
        const { imports } = replicas[index % 2 === 0 ? 0 : 1];
        const received = { file: fileOf(''), staged: createFile(), digest: undefined };
        return imports.begin(randomUUID(), caller, options, received);
      });
      const outcomes = await Promise.allSettled(attempts);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      return outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && 'job' in outcome.value ? [outcome.value] : [],
      );
    }
    const imports = database.db.collection<ImportDocument>('imports');
    const countRunning = () => imports.countDocuments({ tenant_id: caller.tenantId, status: 'running' });

    const begun: { readonly job: Import }[] = [];
    for (let wave = 0; wave < 5; wave += 1) begun.push(...(await beginAll(24)));
    expect([begun.length, await countRunning()]).toEqual([100, 100]);
    for (const job of begun.slice(0, 3)) expect(await end(job)).toBe(true);
    const next = await beginAll(20);
    expect([next.length, await countRunning()]).toEqual([3, 100]);
  });
});

describe('imports within their calls', () => {
  it('are limited to four of one tenant and sixteen of all, with Retry-After', async () => {
    const reading = Promise.withResolvers<never>();
    const { imports, caller } = createAccepting(undefined, () => reading.promise);
    const beginOf = (tenant: string) => {
      const file = { file: fileOf('{}'), staged: undefined, digest: undefined };
      return imports.begin(randomUUID(), { ...caller, tenantId: toTenantId(tenant) }, options, file);
    };
    const running = ['a', 'b', 'c', 'd'].flatMap((tenant) => {
      const own = Array.from({ length: 4 }, () => beginOf(tenant));
      const quota = { name: 'concurrent-imports', requests: 4 };
      return [...own, expect(beginOf(tenant)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', quota })];
    });
    await expect(beginOf('e')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 });
    reading.reject(new AppError('INVALID_IMPORT'));
    const ended = await Promise.allSettled(running);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(16);
    await expect(beginOf('e')).rejects.toMatchObject({ code: 'INVALID_IMPORT' });
  });

  it('leave a small file with very many responses to a job, which goes on after those that were read', async () => {
    let read = 0;
    const prepare: Prepare = async (_options, _file, _caller, _warnings, { keep }) => {
      for (;;) {
        read += 200;
        await keep({ bytes: new TextEncoder().encode('[]'), judged: { ...NOTHING_JUDGED, rows: read } });
      }
    };
    const { imports, caller, jobId, discarded } = createAccepting(undefined, prepare);
    const file = { file: fileOf('{}'), staged: undefined, digest: undefined };
    const begun = await imports.begin(jobId, caller, options, file);
    expect(begun).toMatchObject({
      job: { id: jobId, job: { spool: { rows: 20_200, batches: 101, isComplete: false } } },
    });
    expect([read, discarded]).toEqual([20_200, []]);
  });
});
