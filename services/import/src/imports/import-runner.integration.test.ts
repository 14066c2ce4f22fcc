import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { create, fromBinary } from '@bufbuild/protobuf';
import { fileOf, type ImportFile } from '@survey/formats/files/import-file';
import { DETECT_ALL } from '@survey/formats/tables/table-options';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { SurveySchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Worker } from '@survey/runtime/flow/loop';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import type { TenantStatus } from '@survey/runtime/tenants/tenant-state';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { createTestKeyring } from '@survey/runtime/testing/test-keyring';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Batch, type BatchItem, NOTHING_JUDGED } from '../reading/batches.ts';
import type { ImportOptions, ReadSurvey } from '../reading/read-import.ts';
import type { ResponseClient } from '../responses/response-client.ts';
import { createSpooling, type Spooling } from '../staging/spool.ts';
import { createStagedPieceStore, type StagedPieceDocument, stagedPieceIndexes } from '../staging/staged-piece-store.ts';
import type { SurveyClient } from '../surveys/survey-client.ts';
import { type Import, NO_PROGRESS } from './import.ts';
import type { ImportDocument } from './import-document.ts';
import { createImportErrorStore, type ImportErrorsDocument } from './import-error-store.ts';
import { createImportRunner } from './import-runner.ts';
import { createImportStore, importIndexes } from './import-store.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import type { Prepare } from './prepare-import.ts';
import type { Report } from './report.ts';
import { createImportRun } from './run-import.ts';

const LEASE_MS = 600;
const clock = () => new Date();
const options: ImportOptions = {
  kind: 'responses',
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

let database: TestDatabase;
let store: ReturnType<typeof createImportStore>;
let spooling: Spooling;
let discarded: string[];
const runners: Worker[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { imports: importIndexes, staged_pieces: stagedPieceIndexes });
  store = createImportStore({ collection: imports(), onEvent: () => {} });
  const keyring = createTestKeyring();
  const collection = database.db.collection<DataKeyDocument>('data_keys');
  spooling = createSpooling({
    envelope: createEnvelope({ collection, keyring: async () => keyring, clock }),
    store: createStagedPieceStore({ collection: pieces(), clock }),
  });
  discarded = [];
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await database.drop();
});

const imports = () => database.db.collection<ImportDocument>('imports');
const pieces = () => database.db.collection<StagedPieceDocument>('staged_pieces');
const errors = () =>
  createImportErrorStore({ collection: database.db.collection<ImportErrorsDocument>('import_errors'), clock });
const recordOf = (id: string) => imports().findOne({ _id: id });
const endOf = (id: string, timeoutMs?: number) =>
  poll(
    async () => {
      const record = await recordOf(id);
      return record?.report == null ? undefined : record;
    },
    { timeoutMs },
  );

async function begin(given: Partial<Import> = {}, lease?: { claim: string; until: Date }): Promise<Import> {
  const job = { options, file: { id: randomUUID(), size: 1, pieces: 1 } };
  const item: Import = {
    id: randomUUID(),
    tenantId: toTenantId(randomUUID()),
    surveyId: 's',
    source: 'custom',
    format: 'json',
    dryRun: false,
    status: 'running',
    actor: 'user-1',
    requestId: 'r',
    traceparent: '',
    createdAt: new Date(),
    finishedAt: undefined,
    size: 1,
    progress: NO_PROGRESS,
    questions: 0,
    report: undefined,
    deaths: 0,
    failingSince: undefined,
    cancelledBy: undefined,
    job,
    ...given,
  };
  if (lease === undefined) await store.beginJob(item, [], 100);
  else await store.begin(item, lease);
  return item;
}

function sendable(index: number): BatchItem {
  const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined, language: undefined };
  const payload = { id: String(index), answers: '{}', ...nothing, metadata: undefined, allowsMissing: false };
  return { index, id: '', payload, omissions: [], lacksValues: false };
}

function batchOf(first: number, count: number, itemAt = sendable): Batch {
  const items = Array.from({ length: count }, (_, index) => itemAt(first + index));
  const judged = { ...NOTHING_JUDGED, rows: first + count };
  return { bytes: new TextEncoder().encode(JSON.stringify(items)), judged };
}

const readSurvey: ReadSurvey = { questions: 1, survey: undefined, settingsAt: undefined };

/** Reads a file with this number of responses. */
function prepared(count: number, itemAt = sendable, size = 200): Prepare {
  return async (_options, _file, _caller, _warnings, { from, keep }) => {
    for (let first = from.rows; first < count; first += size)
      await keep(batchOf(first, Math.min(size, count - first), itemAt));
    return readSurvey;
  };
}

/** Reads a file with a survey and no responses. */
const withSurvey: Prepare = async () => ({
  ...readSurvey,
  survey: { id: randomUUID(), status: 'draft', payload: {} },
});

interface Start {
  readonly leaseMs?: number;
  readonly claim?: 'claim' | 'claimEnding';
  readonly file?: ImportFile;
  readonly statusOf?: () => TenantStatus;
  readonly storeSurvey?: SurveyClient['store'];
  readonly storeBatch?: (size: number, first: string | undefined) => Promise<void>;
}

const noSurvey = () => Promise.reject(new Error('there is none'));

function startRunner(prepare: Prepare, start: Start = {}): Worker {
  const { leaseMs = LEASE_MS, claim = 'claim', file = fileOf(''), statusOf = () => 'active' } = start;
  const { storeBatch = async () => {} } = start;
  const surveys = { store: start.storeSurvey ?? noSurvey };
  const metrics = { addRows: () => {}, ended: () => {} };
  const now = () => performance.now();
  const responses: ResponseClient = {
    async store(_importer, _to, batch) {
      await storeBatch(batch.length, batch[0]?.id);
      return batch.map(() => ({ outcome: 'imported' as const }));
    },
    areStored: () => Promise.reject(new Error('there is no dry run')),
  };
  const runner = createImportRunner({
    claimImport: store[claim],
    tenants: { statusOf: async () => statusOf() },
    staging: {
      open: () => file,
      discard: async (_tenantId, id) => {
        discarded.push(id);
      },
    },
    spooling,
    prepare,
    run: createImportRun({ store, errors: errors(), surveys, responses, metrics, clock, now }),
    startRenewal: createLeaseRenewal({ store, clock, leaseMs, log: testLog }),
    clock,
    now,
    newId: randomUUID,
    leaseMs,
    log: testLog,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

const cancel = ({ tenantId, id }: Import) =>
  store.cancel(tenantId, id, { actor: 'user-2', requestId: 'c' }, new Date());

const rejected = (index: number): BatchItem => ({ index, id: '', code: 'BAD_JSON', detail: 'it is no JSON' });

const unexpected: Prepare = () => Promise.reject(new Error('it is not to be run'));

describe('the runner of imports', () => {
  it('ends imports whose call died with their progress, and sends one event', async () => {
    const progress = { ...NO_PROGRESS, rows: 200, imported: 150, failed: 50, bytes: 9 };
    const interrupted = await begin({ job: undefined, progress }, { claim: 'dead', until: new Date(0) });
    const alive = await begin({ job: undefined }, { claim: 'alive', until: new Date(Date.now() + 60_000) });
    startRunner(unexpected, { claim: 'claimEnding' });
    startRunner(unexpected, { claim: 'claimEnding' });
    const record = await endOf(interrupted.id);
    expect(record).toMatchObject({ status: 'failed', report: { total: 200, warnings: [{ code: 'INTERRUPTED' }] } });
    const events = record.outbox.map(({ value }) => fromBinary(EventSchema, value.value()));
    expect(events).toMatchObject([
      { type: 'import.failed', tenantId: interrupted.tenantId },
      { type: 'audit.import.failed', data: { resource_id: interrupted.id, actor: 'user-1', request_id: 'r' } },
    ]);
    expect((await recordOf(alive.id))?.status).toBe('running');
  });

  it('reports only errors of completed batches', async () => {
    const lease = { claim: 'dead', until: new Date(0) };
    const interrupted = await begin({ job: undefined, progress: { ...NO_PROGRESS, rows: 200, failed: 1 } }, lease);
    const resumable = await begin({ progress: { ...NO_PROGRESS, rows: 200, failed: 1 } }, lease);
    const rejectedAt = (index: number) => [{ index, id: '', code: 'INTERNAL', detail: 'It could not be stored' }];
    for (const { tenantId, id } of [interrupted, resumable])
      for (const index of [7, 200, 400]) await errors().keep(tenantId, id, index - (index % 200), rejectedAt(index));
    startRunner(unexpected, { claim: 'claimEnding' });
    expect((await endOf(interrupted.id)).report?.errors).toEqual(rejectedAt(7));
    startRunner(prepared(700));
    expect((await endOf(resumable.id)).report).toMatchObject({ imported: 500, errors: rejectedAt(7) });
  });

  it('ends imports cancelled without a lease immediately, with the user who did it', async () => {
    const item = await begin({ createdAt: new Date(Date.now() + 3_600_000) });
    await cancel(item);
    startRunner(unexpected, { claim: 'claimEnding' });
    const record = await endOf(item.id);
    expect(record).toMatchObject({ status: 'cancelled', report: { total: 0 } });
    const events = record.outbox.map(({ value }) => fromBinary(EventSchema, value.value()));
    expect(events).toMatchObject([
      { type: 'import.failed' },
      { type: 'audit.import.cancelled', data: { actor: 'user-2', request_id: 'c' } },
    ]);
    await poll(() => discarded.length === 1);
  });

  it('leaves imports that only must be ended to their own runner', async () => {
    const item = await begin();
    await cancel(item);
    const lease = () => ({ claim: randomUUID(), until: new Date(Date.now() + 60_000), now: new Date() });
    expect(await store.claim(lease())).toBeUndefined();
    expect((await store.claimEnding(lease()))?.id).toBe(item.id);
  });

  it('notices a cancellation while reading a piece, before anything is stored', async () => {
    const item = await begin();
    const reached = Promise.withResolvers<void>();
    let pieces = 0;
    const file: ImportFile = {
      size: 1,
      async *open() {
        for (;;) {
          pieces += 1;
          yield Buffer.from('x');
          reached.resolve();
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
    };
    startRunner(
      async (_plan, given) => {
        for await (const _piece of given.open());
        throw new Error('it has an end');
      },
      { file },
    );
    await reached.promise;
    await cancel(item);
    expect(await endOf(item.id)).toMatchObject({ status: 'cancelled', report: { total: 0 } });
    expect(pieces).toBeGreaterThan(0);
  });

  it('notices a cancellation between batches, before anything is stored', async () => {
    const item = await begin();
    const reached = Promise.withResolvers<void>();
    startRunner(async (_options, _file, _caller, _warnings, { keep }) => {
      for (let first = 0; ; first += 200) {
        await keep(batchOf(first, 200));
        reached.resolve();
        await yieldToEventLoop();
      }
    });
    await reached.promise;
    await cancel(item);
    expect(await endOf(item.id)).toMatchObject({ status: 'cancelled', report: { total: 0 } });
    await poll(() => discarded.length === 1);
  });

  it('pauses the storing of responses of a suspended tenant', async () => {
    const item = await begin();
    let isSuspended = false;
    let stored = 0;
    startRunner(prepared(10_000), {
      statusOf: () => (isSuspended ? 'suspended' : 'active'),
      async storeBatch(size) {
        isSuspended = true;
        stored += size;
      },
    });
    const released = await poll(async () => {
      const record = await recordOf(item.id);
      return record?.claim === undefined && (record?.due_at ?? 0) > new Date(Date.now() + 30_000) ? record : undefined;
    });
    expect(released).toMatchObject({ status: 'running', progress: { rows: stored, read: 10_000 } });
    expect(stored).toBeLessThan(10_000);
  });

  it('pauses imports of a suspended tenant', async () => {
    const item = await begin();
    startRunner(
      async (_plan, given) => {
        for await (const _piece of given.open());
        throw new Error('it is not to be read');
      },
      { statusOf: () => 'suspended' },
    );
    const released = await poll(async () => {
      const record = await recordOf(item.id);
      return record?.claim === undefined && (record?.due_at ?? 0) > new Date(Date.now() + 30_000) ? record : undefined;
    });
    expect(released).toMatchObject({ status: 'running', attempts: 0 });
  });

  it('fails an import after too many dead processes', async () => {
    const progress = { ...NO_PROGRESS, rows: 200, imported: 200 };
    const item = await begin({ deaths: 10, progress, questions: 12 }, { claim: 'dead', until: new Date(0) });
    startRunner(unexpected);
    const report = { warnings: [{ code: 'INTERNAL' }], imported: 200, questions: 12 };
    expect(await endOf(item.id)).toMatchObject({ status: 'failed', questions: 12, report });
  });

  it('fails at once if the file takes too much to read, without another process', async () => {
    const item = await begin();
    let attempts = 0;
    startRunner(() => {
      attempts += 1;
      return Promise.reject(new AppError('FILE_TOO_COMPLEX'));
    });
    const report = { warnings: [{ code: 'FILE_TOO_COMPLEX' }] };
    expect(await endOf(item.id)).toMatchObject({ status: 'failed', report });
    expect(attempts).toBe(1);
  });

  it('retries a failing import for 15 minutes, then reports the cause', async () => {
    const away: Prepare = () => Promise.reject(new AppError('UNAVAILABLE'));
    const item = await begin();
    const runner = startRunner(away);
    const since = await poll(async () => (await recordOf(item.id))?.failing_since);
    expect(await recordOf(item.id)).toMatchObject({ status: 'running', attempts: 0 });
    await runner.stop();
    const earlier = new Date(since.getTime() - 16 * 60_000);
    await imports().updateOne({ _id: item.id }, { $set: { failing_since: earlier, due_at: new Date(0) } });
    startRunner(away);
    expect(await endOf(item.id)).toMatchObject({ status: 'failed', report: { warnings: [{ code: 'UNAVAILABLE' }] } });
  });

  it('keeps file and errors for the process that has claimed the import', async () => {
    const item = await begin();
    const theirs = [{ index: 7, id: '', code: 'INTERNAL', detail: 'It could not be stored' }];
    const interrupted = Promise.withResolvers<void>();
    startRunner(
      async () => {
        await imports().updateOne(
          { _id: item.id },
          { $set: { claim: 'theirs', due_at: new Date(Date.now() + 60_000) } },
        );
        await errors().keep(item.tenantId, item.id, 0, theirs);
        interrupted.resolve();
        throw new AppError('INVALID_IMPORT');
      },
      { leaseMs: 60_000 },
    );
    await interrupted.promise;
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    expect(discarded).toEqual([]);
    expect(await errors().findFirst(item.tenantId, item.id, 10)).toEqual(theirs);
    expect(await recordOf(item.id)).toMatchObject({ status: 'running', claim: 'theirs' });
  });

  it('ends an import after 100,000 rejected responses without a stored one', async () => {
    const item = await begin();
    let written = 0;
    const { advance } = store;
    store = {
      ...store,
      advance: (...given) => {
        written += 1;
        return advance(...given);
      },
    };
    startRunner(prepared(110_000, rejected, 1_000));
    const { report } = await endOf(item.id, 50_000);
    expect(report).toMatchObject({ status: 'failed', imported: 0, warnings: [{ code: 'INVALID_IMPORT' }] });
    expect(report?.failed).toBeGreaterThanOrEqual(100_000);
    expect(report?.failed).toBeLessThan(106_000);
    expect(written).toBeLessThan(400);
  });

  it('leaves a survey that is not stored at shutdown to another process, even without responses', async () => {
    const item = await begin();
    const tried = Promise.withResolvers<void>();
    const away = async () => {
      tried.resolve();
      throw new AppError('UNAVAILABLE');
    };
    const first = startRunner(withSurvey, { storeSurvey: away });
    await tried.promise;
    await first.stop();
    expect(await recordOf(item.id)).toMatchObject({ status: 'running', report: null });
    expect(discarded).toEqual([]);
    startRunner(withSurvey, { storeSurvey: async () => create(SurveySchema) });
    expect(await endOf(item.id)).toMatchObject({ status: 'completed' });
  });

  it('stores no survey if the import is cancelled while reading', async () => {
    const item = await begin();
    let stored = 0;
    const known = Promise.withResolvers<void>();
    const { extend } = store;
    store = {
      ...store,
      async extend(...given) {
        const state = await extend(...given);
        if (state === 'cancelling') known.resolve();
        return state;
      },
    };
    startRunner(
      async (...given) => {
        await cancel(item);
        await known.promise;
        // Let the result reach its caller.
        await yieldToEventLoop();
        return withSurvey(...given);
      },
      {
        async storeSurvey() {
          stored += 1;
          return create(SurveySchema);
        },
      },
    );
    expect(await endOf(item.id)).toMatchObject({ status: 'cancelled' });
    expect(stored).toBe(0);
  });

  it('retries an import later after an error unrelated to its file', async () => {
    const item = await begin();
    let times = 0;
    const prepare = prepared(10);
    startRunner(async (...given) => {
      times += 1;
      if (times === 1) throw new AppError('UNAVAILABLE');
      return prepare(...given);
    });
    expect(await endOf(item.id)).toMatchObject({ status: 'completed', report: { imported: 10 } });
  });

  it('ends a rejected file immediately', async () => {
    const item = await begin();
    startRunner(() => Promise.reject(new AppError('SURVEY_NOT_FOUND')));
    expect(await endOf(item.id)).toMatchObject({
      status: 'failed',
      report: { warnings: [{ path: '', code: 'SURVEY_NOT_FOUND', detail: 'Survey not found' }] },
    });
  });

  it('renews the lease while the import runs', async () => {
    const item = await begin();
    const runs: number[] = [];
    const slow = (number: number) => async () => {
      runs.push(number);
      await new Promise((resolve) => setTimeout(resolve, 3 * LEASE_MS));
    };
    startRunner(prepared(200), { storeBatch: slow(1) });
    startRunner(prepared(200), { storeBatch: slow(2) });
    expect(await endOf(item.id)).toMatchObject({ report: { imported: 200 } });
    expect(runs).toHaveLength(1);
  });

  it('leaves a running import at shutdown to another process, which resumes it', async () => {
    const item = await begin();
    const reached = Promise.withResolvers<void>();
    let stored = 0;
    const first = startRunner(prepared(10_000), {
      leaseMs: 60_000,
      async storeBatch(size) {
        stored += size;
        if (stored >= 1_000) reached.resolve();
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    await reached.promise;
    await first.stop();
    const left = await recordOf(item.id);
    expect(left).toMatchObject({ status: 'running', progress: { rows: stored, imported: stored } });
    expect(stored).toBeLessThan(10_000);
    // It does not read the file again.
    startRunner(unexpected, {
      async storeBatch(size) {
        stored += size;
      },
    });
    const report = { total: 10_000, imported: 10_000, skipped: 0, questions: 1 };
    expect(await endOf(item.id)).toMatchObject({ report, progress: { bytes: 1 } });
    expect(stored).toBe(10_000);
  });

  it('continues the reading of a dead process after the responses in the spool', async () => {
    const item = await begin();
    const hanging = Promise.withResolvers<void>();
    const dead = startRunner(
      async (_options, _file, _caller, { warn }, { keep }) => {
        warn({ path: '', code: 'OF_THE_DEAD', detail: '' });
        await keep(batchOf(0, 200));
        // Not in the stored state, which is written once a second.
        await keep(batchOf(200, 100));
        return hanging.promise.then(() => Promise.reject(new Error('dead')));
      },
      { leaseMs: 60_000 },
    );
    await poll(async () => (await pieces().countDocuments()) === 2);
    expect(await recordOf(item.id)).toMatchObject({ job: { spool: { batches: 1, rows: 200, isComplete: false } } });
    const expired = { claim: 'dead', due_at: new Date(0) };
    await imports().updateOne({ _id: item.id }, { $set: expired });
    const froms: number[] = [];
    const firsts: (string | undefined)[] = [];
    startRunner(
      (given, file, caller, warnings, to) => {
        froms.push(to.from.rows);
        return prepared(450)(given, file, caller, warnings, to);
      },
      { storeBatch: async (_, first) => void firsts.push(first) },
    );
    expect(await endOf(item.id)).toMatchObject({ report: { imported: 450, warnings: [] }, attempts: 0 });
    expect([froms, firsts.sort()]).toEqual([[200], ['0', '200', '400']]);
    hanging.resolve();
    await dead.stop();
    expect(await recordOf(item.id)).toMatchObject({ report: { imported: 450 } });
  });

  it('keeps warnings and omissions for the process that continues', async () => {
    const item = await begin();
    const omissions = [{ column: 'c', code: 'X', detail: 'x', action: 'kept' } as const];
    const withOmission = (index: number): BatchItem => ({ ...sendable(index), omissions });
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = startRunner(
      (given, file, caller, warnings, to) => {
        warnings.warn({ path: '/a', code: 'Y', detail: 'y' });
        return prepared(600, withOmission)(given, file, caller, warnings, to);
      },
      {
        leaseMs: 60_000,
        async storeBatch(_, id) {
          if (id === '0') return;
          reached.resolve();
          await goOn.promise;
        },
      },
    );
    await reached.promise;
    await poll(async () => (await recordOf(item.id))?.progress.rows === 200);
    // A process of the previous release stores only the progress, perhaps within a batch.
    await imports().updateOne(
      { _id: item.id },
      { $set: { claim: 'old', due_at: new Date(0), 'progress.rows': 300, 'progress.imported': 300 } },
    );
    goOn.resolve();
    await first.stop();
    const firsts: (string | undefined)[] = [];
    startRunner(unexpected, { storeBatch: async (_, id) => void firsts.push(id) });
    const { report } = await endOf(item.id);
    expect(firsts.sort()).toEqual(['300', '400']);
    expect(report).toMatchObject({
      imported: 600,
      warnings: [{ path: '/a', code: 'Y' }],
      omissions: [{ column: 'c', count: 600 }],
    });
    expect(report?.omissions?.[0]?.examples.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  });

  it('continues a job of the previous release, which has stored responses but has no spool', async () => {
    const item = await begin({ progress: { ...NO_PROGRESS, rows: 250, imported: 250 } });
    const firsts: (string | undefined)[] = [];
    startRunner(prepared(450), { storeBatch: async (_, first) => void firsts.push(first) });
    expect(await endOf(item.id)).toMatchObject({ report: { total: 450, imported: 450 } });
    expect(firsts.sort()).toEqual(['250', '400']);
  });

  it('stores nothing more if the spool has expired, and says so', async () => {
    const item = await begin();
    const reached = Promise.withResolvers<void>();
    const first = startRunner(prepared(10_000), {
      leaseMs: 60_000,
      async storeBatch() {
        reached.resolve();
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    await reached.promise;
    await first.stop();
    await pieces().deleteMany({});
    startRunner(unexpected);
    expect(await endOf(item.id)).toMatchObject({
      status: 'failed',
      report: { warnings: [{ code: 'IMPORT_FILE_GONE' }] },
    });
  });

  it('writes nothing after another process has claimed the import', async () => {
    const item = await begin();
    const lease = { claim: 'mine', until: new Date(0) };
    expect((await store.claim({ ...lease, now: new Date() }))?.id).toBe(item.id);
    expect(
      (await store.claim({ claim: 'theirs', until: new Date(Date.now() + 60_000), now: new Date() }))?.deaths,
    ).toBe(1);
    const step = { progress: { ...NO_PROGRESS, rows: 1 }, questions: 1 };
    expect(await store.advance(item, lease, step)).toBe('lost');
    expect(await store.extend(item, lease)).toBe('lost');
    const counts = { total: 0, imported: 0, importedInPart: 0, skipped: 0, failed: 0, leftOut: 0, questions: 0 };
    const lists = { warnings: [], errors: [], omissions: [] };
    const report: Report = { id: item.id, source: '', format: '', status: 'failed', ...counts, ...lists };
    expect(await store.end(item, 'mine', { report, progress: NO_PROGRESS, time: new Date(), events: [] })).toBe(false);
    expect(await recordOf(item.id)).toMatchObject({ status: 'running', claim: 'theirs', progress: NO_PROGRESS });
  });

  it('finds the import that waits longest with an index of unfinished imports', async () => {
    const [second, first] = [await begin({ createdAt: new Date(2_000) }), await begin({ createdAt: new Date(1_000) })];
    const { tenantId } = first;
    const another = await begin({ tenantId, createdAt: new Date(1_500) });
    const claim = () => store.claim({ claim: 'x', until: new Date(Date.now() + 60_000), now: new Date() });
    const ids = [(await claim())?.id, (await claim())?.id];
    const lease = { claim: 'x', until: new Date(Date.now() + 60_000), now: new Date() };
    // The tenants of all due jobs have a claimed import.
    expect(await store.claimOfIdleTenant(lease)).toBeUndefined();
    ids.push((await claim())?.id, (await claim())?.id);
    // Tenants without running jobs come first.
    expect(ids).toEqual([first.id, second.id, another.id, undefined]);
    const plan = await imports()
      .find({ due_at: { $lte: new Date() } })
      .sort({ due_at: 1 })
      .explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"due"');
  });
});
