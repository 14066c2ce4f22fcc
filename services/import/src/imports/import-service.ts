import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ImportFile } from '@survey/formats/files/import-file';
import type { FilePlan, PlanRequest } from '@survey/formats/plans/file-plan';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { Logger } from 'pino';
import { type Batch, NOTHING_JUDGED } from '../reading/batches.ts';
import type { ImportOptions, ReadSurvey } from '../reading/read-import.ts';
import type { Reading } from '../reading/reading.ts';
import { EMPTY_SPOOL, type Spooling } from '../staging/spool.ts';
import type { ReceivedFile, StagedFile, Staging } from '../staging/staged-file.ts';
import { type NewSurvey, type StoredSurvey, type SurveyClient, toSettingsMessage } from '../surveys/survey-client.ts';
import { type Canceller, type Import, type Job, NO_PROGRESS } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import { beginEvents } from './import-events.ts';
import type { ImportStore } from './import-store.ts';
import type { StartRenewal } from './lease-renewal.ts';
import type { Prepare } from './prepare-import.ts';
import { createWarnings, type Report, type ReportedError, type Warnings } from './report.ts';
import type { ImportRun, ReadFile, RunResult } from './run-import.ts';

interface Dependencies {
  readonly store: ImportStore;
  readonly errors: ImportErrorStore;
  readonly staging: Staging;
  readonly spooling: Pick<Spooling, 'add' | 'complete'>;
  readonly reading: Pick<Reading, 'planImport'>;
  readonly prepare: Prepare;
  readonly run: ImportRun;
  readonly startRenewal: StartRenewal;
  readonly surveys: Pick<SurveyClient, 'getPayload'>;
  /** Called when a job can start, or a runner must end a cancelled import. */
  readonly onDue: () => void;
  readonly clock: () => Date;
  /** Reads the database's clock for the start of an import, which is compared with times of deletions. */
  readonly databaseTime: () => Promise<Date>;
  readonly newId: () => string;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** The survey that a dry run would create. */
type SurveyPreview = Pick<
  StoredSurvey,
  'status' | 'definition' | 'schemaVersion' | 'version' | 'settings' | 'createdAt' | 'updatedAt'
>;

/** The result of an import within its call. */
export interface Imported {
  /** Undefined if responses were added to an existing survey. */
  readonly survey: StoredSurvey | SurveyPreview | undefined;
  readonly report: Report;
}

/** A finished import, or a job that imports the file later. */
export type Begun = { readonly imported: Imported } | { readonly job: Import };

/** More responses are stored by a job, so that the caller gets a reply soon. */
const MAX_RESPONSES_IN_CALL = 1_000;
/** After more responses, the job also reads the rest: a file of 1 MiB can have half a million. */
const MAX_RESPONSES_READ_IN_CALL = 20_000;
/** More bytes of responses are stored by a job, because a call has them in memory. A small workbook can have many. */
const MAX_BATCH_BYTES_IN_CALL = 8 * 1024 * 1024;
/** Limits of concurrent imports within calls, in one process. Each has its file in memory. */
const CALL_LIMITS = { total: 16, perTenant: 4 };
/** Limits of concurrent plans in one process. A plan reports how an import would read a file, and stores nothing. */
const PLAN_LIMITS = { total: 8, perTenant: 2 };
/** To plan an import, clients send about the first megabyte of a file. A file of this size may be cut off. */
const PARTIAL_BYTES = 1_000_000;
/** Limit of unfinished jobs of a tenant. Each has a staged file. */
const MAX_JOBS = 100;
const JOBS_RETRY_SECONDS = 60;

export type ImportService = ReturnType<typeof createImportService>;

/**
 * Begins, plans, lists and cancels imports for the handlers of the API. An import reads a file into a new survey, or
 * adds its responses to an existing survey. The size of the file decides who reads it. A small file is read while the
 * call waits. A larger file is staged, which means stored encrypted, and a runner imports it later as a job
 * (`import-runner.ts`). `prepare` reads a file, and `run` stores its survey and responses.
 */
export function createImportService(dependencies: Dependencies) {
  const { store, errors, staging, spooling, prepare, run, startRenewal, surveys, onDue, clock, newId, leaseMs, log } =
    dependencies;
  const { databaseTime, reading } = dependencies;
  const withCallSlot = createTenantLimit(CALL_LIMITS);
  const withPlanSlot = createTenantLimit(PLAN_LIMITS);

  const newImport = async (
    id: string,
    caller: ChangeContext,
    options: ImportOptions,
    size: number,
  ): Promise<Import> => ({
    ...caller,
    id,
    // A dry run creates no survey.
    surveyId: options.dryRun && options.kind === 'survey' ? '' : options.surveyId,
    source: options.source,
    format: options.format,
    dryRun: options.dryRun,
    status: 'running',
    createdAt: await databaseTime(),
    finishedAt: undefined,
    size,
    progress: NO_PROGRESS,
    questions: 0,
    report: undefined,
    // Only jobs use `deaths` and `failingSince`.
    deaths: 0,
    failingSince: undefined,
    cancelledBy: undefined,
    job: undefined,
  });

  async function get(tenantId: TenantId, id: string): Promise<Import> {
    const found = await store.find(tenantId, id);
    if (found === undefined) throw new AppError('IMPORT_NOT_FOUND');
    return found;
  }

  /** Runs `make`, then deletes the staged file, unless `make` has stored a job that needs it. */
  async function withStagedFile<T>(
    tenantId: TenantId,
    file: StagedFile | undefined,
    make: () => Promise<T>,
  ): Promise<T> {
    try {
      return await make();
    } finally {
      if (file !== undefined) await discardUnlessNeeded(tenantId, file);
    }
  }

  async function discardUnlessNeeded(tenantId: TenantId, { id }: StagedFile): Promise<void> {
    try {
      // `make` may have stored a job before it failed.
      if (!(await store.needsFile(tenantId, id))) await staging.discard(tenantId, id);
    } catch (error) {
      log.warn({ err: error, tenant_id: tenantId }, 'cannot delete a staged file, it will expire');
    }
  }

  /** Stores a job that imports a staged file. For a repeated id, returns the existing import. */
  async function accept(id: string, caller: ChangeContext, job: Job): Promise<Import> {
    const { options, file } = job;
    const existing = await store.find(caller.tenantId, id);
    if (existing !== undefined) return existing;
    // Report an unknown survey now, not in the job.
    if (options.kind === 'responses') await surveys.getPayload(caller, options.surveyId);
    const item = { ...(await newImport(id, caller, options, file.size)), job };
    const begun = await store.beginJob(item, beginEvents(item), MAX_JOBS);
    if (begun === undefined) throw tooManyJobs();
    onDue();
    return begun;
  }

  /**
   * Reads a file within the call, to its end, so that an invalid file is rejected before anything is stored. Then stores
   * its responses. If there are too many for a call, a job stores them from the spool. If there are very many, the job
   * reads the file further.
   */
  async function readInCall(
    jobId: string,
    caller: ChangeContext,
    options: ImportOptions,
    file: ImportFile,
  ): Promise<Begun> {
    const { tenantId } = caller;
    const warnings = createWarnings(options.location);
    const kept = { batches: [] as Batch[], bytes: 0, staged: undefined as StagedFile | undefined, spool: EMPTY_SPOOL };
    const keep = async (batch: Batch) => {
      kept.batches.push(batch);
      kept.bytes += batch.bytes.length;
      const isSmall = batch.judged.rows <= MAX_RESPONSES_IN_CALL && kept.bytes <= MAX_BATCH_BYTES_IN_CALL;
      if (kept.staged === undefined && isSmall) return;
      kept.staged ??= await stage(tenantId, file);
      for (const one of kept.batches.splice(0)) kept.spool = await spooling.add(tenantId, kept.staged, kept.spool, one);
      if (batch.judged.rows > MAX_RESPONSES_READ_IN_CALL) throw new LeftToJob();
    };
    const destination = { kind: 'call', from: NOTHING_JUDGED, keep } as const;
    try {
      const read = await prepare(options, file, caller, warnings, destination).catch(unlessLeftToJob);
      if (kept.staged !== undefined) {
        const end = { warnings: warnings.first(), moreWarnings: warnings.more() };
        const spool = read ? await spooling.complete(tenantId, kept.staged, kept.spool, { read, ...end }) : kept.spool;
        return { job: await accept(jobId, caller, { options, file: kept.staged, spool }) };
      }
      if (read === undefined) throw new Error('A file that is not staged was left to a job');
      const batches = kept.batches.map(({ bytes }) => bytes);
      const rows = kept.batches.at(-1)?.judged.rows ?? 0;
      return { imported: await importNow(caller, options, file.size, warnings, { read, rows, batches }) };
    } finally {
      if (kept.staged !== undefined) await discardUnlessNeeded(tenantId, kept.staged);
    }
  }

  /** Stores the survey and the responses of a file that was read. */
  async function importNow(
    caller: ChangeContext,
    options: ImportOptions,
    size: number,
    warnings: Warnings,
    file: ReadFile,
  ): Promise<Imported> {
    const item = await newImport(newId(), caller, options, size);
    // While this process has a lease, no other process ends the import as interrupted.
    const claim = newId();
    await store.begin(item, { claim, until: new Date(clock().getTime() + leaseMs) });
    const lease = startRenewal(item, claim);
    try {
      // Do not retry errors, because the caller can retry. A stopping process waits for its calls, so it does not stop
      // the import.
      const result = await run.run({ lease, options, warnings, retryForMs: 0, isStopped: () => false }, file);
      return toImported(options, file.read, result, clock());
    } finally {
      lease.stopRenewal();
    }
  }

  async function stage(tenantId: TenantId, file: ImportFile): Promise<StagedFile> {
    const { staged } = await staging.receive(tenantId, file.open(), { alwaysStage: true });
    if (staged === undefined) throw new Error('The file was not staged');
    return staged;
  }

  return {
    /**
     * Imports a file. A file in memory is read within the call, which throws the errors of the file. Up to 1,000 responses
     * are also stored within the call, which throws the error if nothing could be stored. A job with the id `jobId` imports
     * any other file. Throws `OVERLOADED`, `TOO_MANY_REQUESTS` and `SURVEY_NOT_FOUND`.
     *
     * @param received if its file is staged, wrap the request in `withStagedFile`, which also deletes the file of a
     * repeated request
     */
    async begin(jobId: string, caller: ChangeContext, options: ImportOptions, received: ReceivedFile): Promise<Begun> {
      const { file, staged } = received;
      if (staged !== undefined) return { job: await accept(jobId, caller, { options, file: staged }) };
      return withCallSlot(caller.tenantId, () => readInCall(jobId, caller, options, file));
    },

    /** Checks the survey and the number of jobs before an upload. Throws `TOO_MANY_REQUESTS` or `SURVEY_NOT_FOUND`. */
    async checkBeforeUpload(caller: ChangeContext, surveyId: string | undefined): Promise<void> {
      // `beginJob` checks the limit again, because other jobs may begin while the file arrives.
      if ((await store.countJobs(caller.tenantId, MAX_JOBS)) === MAX_JOBS) throw tooManyJobs();
      if (surveyId !== undefined) await surveys.getPayload(caller, surveyId);
    },

    withStagedFile,

    /**
     * Reports how an import would read a file in memory. Throws `FILE_TOO_COMPLEX`, `OVERLOADED`, `TOO_MANY_REQUESTS`
     * or `SURVEY_NOT_FOUND`.
     */
    async plan(
      caller: ChangeContext,
      surveyId: string | undefined,
      file: ImportFile,
      request: Omit<PlanRequest, 'survey' | 'isPartial'>,
    ): Promise<FilePlan & Pick<PlanRequest, 'isPartial'>> {
      return withPlanSlot(caller.tenantId, async () => {
        const payload = surveyId === undefined ? undefined : await surveys.getPayload(caller, surveyId);
        const plan = { ...request, isPartial: file.size >= PARTIAL_BYTES };
        return { isPartial: plan.isPartial, ...(await reading.planImport(caller.tenantId, { plan, payload }, file)) };
      });
    },

    get,

    list: (tenantId: TenantId, query: PageQuery): Promise<Page<Import>> => store.list(tenantId, query),

    async cancel(tenantId: TenantId, id: string, caller: Canceller): Promise<Import> {
      await store.cancel(tenantId, id, caller, clock());
      onDue();
      return get(tenantId, id);
    },

    /** Streams the rejected responses so far, in the order of the file. Throws `IMPORT_NOT_FOUND`. */
    async readErrors(tenantId: TenantId, id: string): Promise<AsyncIterable<readonly ReportedError[]>> {
      await get(tenantId, id);
      return errors.read(tenantId, id);
    },
  };
}

function toImported(
  options: ImportOptions,
  read: ReadSurvey,
  { survey, report, failure }: RunResult,
  now: Date,
): Imported {
  // The lease was lost, and another process has ended the import.
  if (report === undefined) throw new AppError('UNAVAILABLE');
  if (options.kind === 'responses') {
    // Nothing was stored, so the caller gets the error instead of a report.
    if (report.status === 'failed' && failure !== undefined) throw failure;
    return { survey: undefined, report };
  }
  if (survey !== undefined) return { survey, report };
  if (!options.dryRun || read.survey === undefined) throw failure ?? new AppError('INTERNAL');
  return { survey: previewOf(read.survey, now), report };
}

function previewOf({ status, payload }: NewSurvey, now: Date): SurveyPreview {
  const { survey: definition, schema_version: schemaVersion, version, settings = {} } = payload;
  const time = timestampFromDate(now);
  // The shape of the payload has been checked.
  const checked = { definition, schemaVersion, version } as Pick<
    SurveyPreview,
    'definition' | 'schemaVersion' | 'version'
  >;
  return { ...checked, status, settings: toSettingsMessage(settings), createdAt: time, updatedAt: time };
}

/** Thrown to end the reading of a file in a call. A job continues it. */
class LeftToJob extends Error {
  override readonly name = 'LeftToJob';
}

function unlessLeftToJob(error: unknown): undefined {
  if (!(error instanceof LeftToJob)) throw error;
}

function tooManyJobs(): AppError {
  const detail = `The tenant has ${MAX_JOBS} unfinished imports, which is the limit. Try again when one has ended`;
  const quota = concurrencyQuota('unfinished-imports', MAX_JOBS);
  return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: JOBS_RETRY_SECONDS, quota });
}

interface Options {
  /** Maximum concurrent tasks of this process. */
  readonly total: number;
  /** Maximum concurrent tasks of one tenant in this process. */
  readonly perTenant: number;
}

/** Runs a task. Throws `TOO_MANY_REQUESTS` at the limit of the tenant, and `OVERLOADED` at the limit of the process. */
type RunWithSlot = <T>(tenantId: TenantId, task: () => Promise<T>) => Promise<T>;

/** Limits concurrent tasks, so that one tenant cannot use up all slots. */
export function createTenantLimit({ total, perTenant }: Options): RunWithSlot {
  const running = createKeyedSemaphore<TenantId>({ perKey: perTenant, total });
  return (tenantId, task) =>
    running.run(tenantId, task, (reached) => {
      if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      const detail = `This tenant already has ${perTenant} requests of this kind running, which is the limit`;
      // Clients see one name for uploads (`import-request.ts`), imports and plans: all are requests with a file.
      const quota = concurrencyQuota('concurrent-imports', perTenant);
      return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1, quota });
    });
}
