import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { Logger } from 'pino';
import { countReading } from '../files/counted-file.ts';
import type { ImportFile } from '../files/import-file.ts';
import type { FileResponse } from '../responses/file-response.ts';
import { type ReceivedFile, receiveFile } from '../staging/receive-file.ts';
import type { StagedFile, Staging } from '../staging/staged-file.ts';
import type { StoredSurvey, SurveyClient } from '../surveys/survey-client.ts';
import type { KeepHold } from './hold.ts';
import { type Canceller, type Import, type ImportPlan, NO_PROGRESS } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import { beginEvents } from './import-events.ts';
import type { ImportStore } from './import-store.ts';
import type { Prepare, PreparedImport } from './prepare-import.ts';
import type { Report, ReportedError } from './report.ts';
import type { ImportRun, Ran } from './run-import.ts';
import { createTenantShares } from './tenant-shares.ts';
import { createWarnings } from './warnings.ts';

interface Dependencies {
  readonly store: ImportStore;
  readonly errors: ImportErrorStore;
  readonly staging: Staging;
  readonly prepare: Prepare;
  readonly run: ImportRun;
  readonly keepHold: KeepHold;
  readonly surveys: Pick<SurveyClient, 'getPayload'>;
  /** Called when a runner has something to do. */
  readonly onDue: () => void;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** What an import within its call has done. */
export interface Imported {
  /** Undefined where responses were added to one. */
  readonly survey: Pick<StoredSurvey, 'status' | 'definition' | 'schemaVersion' | 'version'> | undefined;
  readonly report: Report;
}

/** What came of a file: its import, over, or the job that imports it. */
export type Begun = { readonly imported: Imported } | { readonly job: Import };

/** A file with more responses is imported by a job: a call is silent until it is over. */
const MAX_RESPONSES_IN_CALL = 1_000;
/** Imports within their calls, in one process: a soft limit that protects its memory, where each has its file. */
const CALLS = { atOnce: 16, ofTenant: 4 };
/** Jobs of one tenant that wait or run: each keeps its file. */
const MAX_JOBS = 100;
const JOBS_RETRY_SECONDS = 60;

export type ImportService = ReturnType<typeof createImportService>;

export function createImportService(dependencies: Dependencies) {
  const { store, errors, staging, prepare, run, keepHold, surveys, onDue, clock, newId, leaseMs, log } = dependencies;
  const inShare = createTenantShares(CALLS);

  const toImport = (id: string, importer: Actor, plan: ImportPlan, size: number): Import => ({
    ...importer,
    id,
    // There will be none.
    surveyId: plan.dryRun && plan.kind === 'survey' ? '' : plan.surveyId,
    source: plan.source,
    format: plan.format,
    dryRun: plan.dryRun,
    status: 'running',
    createdAt: clock(),
    finishedAt: undefined,
    size,
    progress: NO_PROGRESS,
    questions: 0,
    report: undefined,
    attempts: 0,
    failingSince: undefined,
    cancelledBy: undefined,
    job: undefined,
  });

  async function get(tenantId: TenantId, id: string): Promise<Import> {
    const found = await store.find(tenantId, id);
    if (found === undefined) throw new AppError('IMPORT_NOT_FOUND');
    return found;
  }

  /** What it makes of a staged file; one that no import reads then goes. */
  async function orDiscard<T>(tenantId: TenantId, file: StagedFile | undefined, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } finally {
      if (file !== undefined) await discardUnread(tenantId, file);
    }
  }

  async function discardUnread(tenantId: TenantId, { id }: StagedFile): Promise<void> {
    try {
      // A call that has failed may have begun a job all the same.
      if (!(await store.hasFile(tenantId, id))) await staging.discard(tenantId, id);
    } catch (error) {
      log.warn({ err: error, tenant_id: tenantId }, 'a staged file may have been left behind, it expires by itself');
    }
  }

  /** Has a staged file imported by a job. Of an id that comes again it gives the import of the first time. */
  async function accept(id: string, importer: Actor, plan: ImportPlan, file: StagedFile): Promise<Import> {
    const first = await store.find(importer.tenantId, id);
    if (first !== undefined) return first;
    // It would be found out by the job only.
    if (plan.kind === 'responses') await surveys.getPayload(importer, plan.surveyId);
    const item = { ...toImport(id, importer, plan, file.size), job: { plan, file } };
    const begun = await store.beginJob(item, beginEvents(item), MAX_JOBS);
    if (begun === undefined) throw tooManyJobs();
    onDue();
    return begun;
  }

  /** Undefined when it has too many responses for a call. */
  async function importNow(importer: Actor, plan: ImportPlan, file: ImportFile): Promise<Imported | undefined> {
    const warnings = createWarnings(plan.place);
    const counted = countReading(file);
    const prepared = await prepare(plan, counted.file, importer, warnings);
    // Read to its end before anything is stored: a file that breaks off is refused.
    const responses: FileResponse[] = [];
    for await (const response of prepared.responses) {
      if (responses.length === MAX_RESPONSES_IN_CALL) return undefined;
      responses.push(response);
    }
    const item = toImport(newId(), importer, plan, file.size);
    const claim = newId();
    await store.begin(item, { claim, until: new Date(item.createdAt.getTime() + leaseMs) });
    const hold = keepHold(item, claim);
    try {
      const running = { hold, plan, warnings, bytes: counted.bytes, retryForMs: 0, isStopped: () => false };
      const ran = await run.run(running, { ...prepared, responses: streamOf(responses) });
      return toImported(plan, prepared, ran);
    } finally {
      hold.end();
    }
  }

  /** Has a file that is in memory imported by a job. */
  async function acceptInMemory(jobId: string, importer: Actor, plan: ImportPlan, file: ImportFile): Promise<Import> {
    const { tenantId } = importer;
    const { staged } = await receiveFile(file.open(), { tenantId, staging, newId, isToBeStaged: true });
    if (staged === undefined) throw new Error('A file that was to be staged is not');
    return orDiscard(tenantId, staged, () => accept(jobId, importer, plan, staged));
  }

  return {
    /**
     * Imports a file: at once when it is in memory and has up to 1,000 responses, else by a job of that id. At once it
     * throws when the file is refused as a whole, of which nothing is left then, when its survey cannot be stored, and
     * when none of the responses can because a service is away. All else is in the report. Throws `OVERLOADED`,
     * `TOO_MANY_REQUESTS`, and for a job `SURVEY_NOT_FOUND`.
     */
    async begin(jobId: string, importer: Actor, plan: ImportPlan, received: ReceivedFile): Promise<Begun> {
      const { file, staged } = received;
      if (staged !== undefined) return { job: await accept(jobId, importer, plan, staged) };
      return inShare(importer.tenantId, async () => {
        const imported = await importNow(importer, plan, file);
        return imported === undefined ? { job: await acceptInMemory(jobId, importer, plan, file) } : { imported };
      });
    },

    /**
     * Refuses what can be refused before a large file has arrived: throws `TOO_MANY_REQUESTS`, and `SURVEY_NOT_FOUND` for
     * responses.
     */
    async checkBefore(importer: Actor, surveyId: string | undefined): Promise<void> {
      // Only to refuse early: jobs that begin while the file arrives may take the last slots.
      if ((await store.countJobs(importer.tenantId, MAX_JOBS)) === MAX_JOBS) throw tooManyJobs();
      if (surveyId !== undefined) await surveys.getPayload(importer, surveyId);
    },

    orDiscard,

    get,

    list: (tenantId: TenantId, query: PageQuery): Promise<Page<Import>> => store.list(tenantId, query),

    async cancel(tenantId: TenantId, id: string, by: Canceller): Promise<Import> {
      await store.cancel(tenantId, id, by, clock());
      onDue();
      return get(tenantId, id);
    },

    /** What was refused so far, in the order of the file. */
    async readErrors(tenantId: TenantId, id: string): Promise<AsyncIterable<readonly ReportedError[]>> {
      await get(tenantId, id);
      return errors.read(tenantId, id);
    },
  };
}

function toImported(
  plan: ImportPlan,
  { survey: prepared }: PreparedImport,
  { survey, report, failure }: Ran,
): Imported {
  // Taken for dead by another process, which has ended it.
  if (report === undefined) throw new AppError('UNAVAILABLE');
  if (plan.kind === 'responses') {
    // Nothing has come of it, so the caller may as well try again.
    if (report.status === 'failed' && failure !== undefined) throw failure;
    return { survey: undefined, report };
  }
  if (survey !== undefined) return { survey, report };
  if (!plan.dryRun || prepared === undefined) throw failure ?? new AppError('INTERNAL');
  const { status, payload } = prepared;
  const { survey: definition, schema_version: schemaVersion, version } = payload;
  // The shape of the payload has been checked.
  return {
    survey: { status, definition, schemaVersion, version } as NonNullable<Imported['survey']>,
    report,
  };
}

function tooManyJobs(): AppError {
  const detail = `There are ${MAX_JOBS} imports that are not over yet`;
  return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: JOBS_RETRY_SECONDS });
}

async function* streamOf(responses: readonly FileResponse[]): AsyncGenerator<FileResponse> {
  yield* responses;
}
