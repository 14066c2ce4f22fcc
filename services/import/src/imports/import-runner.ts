import type { ImportFile } from '@survey/formats/files/import-file';
import { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { createPeriodicWorker, type PeriodicWorker } from '@survey/runtime/flow/loop';
import type { NewLease } from '@survey/runtime/mongo/claim';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { Logger } from 'pino';
import type { Batch } from '../reading/batches.ts';
import type { ReadSurvey } from '../reading/read-import.ts';
import { isTransient } from '../retries/retry-policy.ts';
import { EMPTY_SPOOL, type Spooling } from '../staging/spool.ts';
import type { Staging } from '../staging/staged-file.ts';
import type { Failure, Import, Job } from './import.ts';
import type { StartRenewal } from './lease-renewal.ts';
import type { Prepare } from './prepare-import.ts';
import { createWarnings, type Report } from './report.ts';
import { type ImportRun, type LeasedImport, type ReadFile, ReadingStopped, toFailure } from './run-import.ts';

interface Dependencies {
  /** Takes a lease on the next due import, so that only this process runs it. Returns undefined if no import is due. */
  readonly claimImport: (lease: NewLease) => Promise<Import | undefined>;
  readonly staging: Pick<Staging, 'open' | 'discard'>;
  readonly spooling: Spooling;
  readonly prepare: Prepare;
  readonly run: ImportRun;
  readonly startRenewal: StartRenewal;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** The result of an attempt to run an import. Without a report, the import is due again after `delayMs`. */
interface AttemptResult {
  readonly report: Report | undefined;
  readonly delayMs: number;
  readonly failingSince?: Date;
}

const POLL_INTERVAL_MS = 500;
const IDLE_POLL_INTERVAL_MS = 5_000;
/** Minimum time between writes of the state of the spool. */
const WRITE_EVERY_MS = 1_000;
/** Time to retry calls to unavailable services before the import fails, or its responses count as failed. */
const RETRY_FOR_MS = 15 * 60_000;
/** A job fails if more processes than this die without progress: its file probably makes them die. */
const MAX_DEATHS = 10;
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
const INTERRUPTED: Failure = {
  code: 'INTERRUPTED',
  detail: 'The import was interrupted. Responses stored before that are kept. Import the file again to add the rest',
  errors: [],
};

/**
 * Runs due imports one after another. A job reads its file into the spool, then stores the responses in the spool. If its
 * process dies, another one continues where it was. Cancelled imports are only ended, and so are imports within a call
 * whose process died. Any number of runners may run in parallel, in any process.
 */
export function createImportRunner(dependencies: Dependencies): PeriodicWorker {
  const { claimImport, staging, spooling, prepare, run, startRenewal, tenants, clock, now, newId, leaseMs, log } =
    dependencies;

  /** Reads the file of a job to its end, after the responses in its spool. Does not read it if the spool is complete. */
  async function readFile(
    { lease, warnings }: LeasedImport,
    { options, file, ...job }: Job,
    stopIfNecessary: () => Promise<void>,
  ): Promise<ReadFile> {
    const { item } = lease;
    const { tenantId } = item;
    let spool = job.spool ?? EMPTY_SPOOL;
    let bytes = 0;

    const advance = () =>
      lease.advance({ progress: { ...item.progress, bytes, read: spool.rows }, questions: item.questions, spool });

    async function readToEnd(): Promise<ReadSurvey> {
      let storedAt: number | undefined;
      const keep = async (batch: Batch) => {
        await stopIfNecessary();
        spool = await spooling.add(tenantId, file, spool, batch);
        if (storedAt !== undefined && now() - storedAt < WRITE_EVERY_MS) return;
        storedAt = now();
        await advance();
      };
      const staged = staging.open(tenantId, file);
      const counted: ImportFile = {
        size: staged.size,
        async *open() {
          // Readers of some formats open a file several times.
          let position = 0;
          for await (const piece of staged.open()) {
            await stopIfNecessary();
            position += piece.length;
            bytes = Math.max(bytes, position);
            yield piece;
          }
        },
      };
      await spooling.discardAfter(tenantId, file, spool);
      const read = await prepare(options, counted, item, warnings, { kind: 'job', from: spool, keep });
      spool = await spooling.complete(tenantId, file, spool, {
        read,
        warnings: warnings.first(),
        moreWarnings: warnings.more(),
      });
      await advance();
      return read;
    }

    async function readEnd(): Promise<ReadSurvey> {
      const end = await spooling.readEnd(tenantId, file, spool);
      warnings.addEarlier(end.warnings, end.moreWarnings);
      return end.read;
    }

    async function* unsentBatches() {
      for await (const batch of spooling.readBatches(tenantId, file, spool, job.sent?.batches ?? 0)) {
        await stopIfNecessary();
        yield batch;
      }
    }

    const read = spool.isComplete ? await readEnd() : await readToEnd();
    return { read, rows: spool.rows, batches: unsentBatches() };
  }

  async function runJob(held: LeasedImport, job: Job, isStopped: () => boolean): Promise<AttemptResult> {
    const { lease, warnings } = held;
    const { item } = lease;
    let isSuspended = false;
    const stopIfNecessary = async () => {
      isSuspended = (await tenants.statusOf(item.tenantId)) !== 'active';
      if (lease.state() !== 'running' || isStopped() || isSuspended) throw new ReadingStopped();
    };
    const toResult = (report: Report | undefined) => ({ report, delayMs: isSuspended ? MAX_DELAY_MS : 0 });
    let file: ReadFile;
    try {
      file = await readFile(held, job, stopIfNecessary);
    } catch (error) {
      return toResult(await endUnread(held, error));
    }
    const running = { lease, options: job.options, warnings, retryForMs: RETRY_FOR_MS };
    const result = await run.run({ ...running, isStopped: () => isStopped() || isSuspended }, file);
    return toResult(result.report);
  }

  /** Ends an import whose file could not be read, unless reading was stopped. Rethrows transient errors. */
  async function endUnread(held: LeasedImport, error: unknown): Promise<Report | undefined> {
    const failure = toAppError(error);
    if (!(error instanceof ReadingStopped) && isTransient(failure)) throw error;
    if (held.lease.state() === 'cancelling') return run.endCancelled(held);
    // The reader of a format can wrap `ReadingStopped` in its own error.
    return failure.cause instanceof ReadingStopped ? undefined : run.endFailed(held, toFailure(failure));
  }

  async function continueImport(held: LeasedImport, isStopped: () => boolean): Promise<AttemptResult> {
    const { item, state } = held.lease;
    if (state() === 'cancelling') return { report: await run.endCancelled(held), delayMs: 0 };
    if (item.job === undefined) {
      log.warn({ tenant_id: item.tenantId, import_id: item.id }, 'an import was interrupted and counts as failed');
      return { report: await run.endFailed(held, INTERRUPTED), delayMs: 0 };
    }
    if (item.deaths <= MAX_DEATHS) return runJob(held, item.job, isStopped);
    return { report: await run.endFailed(held, toFailure(new AppError('INTERNAL'))), delayMs: 0 };
  }

  /** Schedules a retry after an error, or fails the import if it has failed for too long. */
  async function postpone(held: LeasedImport, error: unknown): Promise<AttemptResult> {
    const { item, hasAdvanced } = held.lease;
    const now = clock();
    const since = (hasAdvanced() ? undefined : item.failingSince) ?? now;
    const failingMs = now.getTime() - since.getTime();
    log.warn({ err: error, import_id: item.id, failing_ms: failingMs }, 'an import broke off');
    if (failingMs >= RETRY_FOR_MS)
      return { report: await run.endFailed(held, toFailure(toAppError(error))), delayMs: 0 };
    // Each pause is as long as the import has been failing, so pauses double.
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, failingMs));
    return { report: undefined, delayMs, failingSince: since };
  }

  async function attempt(item: Import, claim: string, isStopped: () => boolean): Promise<void> {
    const lease = startRenewal(item, claim);
    const held = { lease, warnings: createWarnings(item.job?.options.location ?? '') };
    try {
      const { report, delayMs, failingSince } = await continueImport(held, isStopped).catch((error: unknown) =>
        postpone(held, error),
      );
      // Without a report, the import has not ended and still needs its file.
      if (report === undefined) await lease.release(new Date(clock().getTime() + delayMs), failingSince);
      else if (item.job !== undefined) await staging.discard(item.tenantId, item.job.file.id);
    } finally {
      lease.stopRenewal();
    }
  }

  return createPeriodicWorker({
    everyMs: POLL_INTERVAL_MS,
    idleEveryMs: IDLE_POLL_INTERVAL_MS,
    failure: 'cannot run imports',
    log,
    async work(isStopped) {
      let hasWorked = false;
      while (!isStopped()) {
        const now = clock();
        const claim = newId();
        const item = await claimImport({ claim, now, until: new Date(now.getTime() + leaseMs) });
        if (item === undefined) return hasWorked;
        hasWorked = true;
        await attempt(item, claim, isStopped);
      }
      return hasWorked;
    },
  });
}
