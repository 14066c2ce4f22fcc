import { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { createPeriodicWorker, type PeriodicWorker } from '@survey/runtime/flow/loop';
import type { NewLease } from '@survey/runtime/mongo/claim';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { Logger } from 'pino';
import { isTransient } from '../retries/retry-policy.ts';
import type { Staging } from '../staging/staged-file.ts';
import type { Failure, Import } from './import.ts';
import type { StartRenewal } from './lease-renewal.ts';
import type { Prepare, PreparedImport } from './prepare-import.ts';
import { createWarnings, type Report } from './report.ts';
import { countReading, type ImportRun, type LeasedImport, ReadingStopped, stoppable, toFailure } from './run-import.ts';

interface Dependencies {
  /** Takes a lease on the next due import, so that only this process runs it. Returns undefined if no import is due. */
  readonly claimImport: (lease: NewLease) => Promise<Import | undefined>;
  readonly staging: Pick<Staging, 'open' | 'discard'>;
  readonly prepare: Prepare;
  readonly run: ImportRun;
  readonly startRenewal: StartRenewal;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly clock: () => Date;
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
 * Runs due imports one after another. A job is begun, or resumed after its stored progress. Cancelled imports are only
 * ended, and so are imports within a call whose process died. Any number of runners may run in parallel, in any
 * process.
 */
export function createImportRunner(dependencies: Dependencies): PeriodicWorker {
  const { claimImport, staging, prepare, run, startRenewal, tenants, clock, newId, leaseMs, log } = dependencies;

  async function runJob(
    held: LeasedImport,
    { options, file }: NonNullable<Import['job']>,
    isStopped: () => boolean,
  ): Promise<AttemptResult> {
    const { lease, warnings } = held;
    const { item } = lease;
    let isSuspended = false;
    const shouldContinue = async () => {
      isSuspended = (await tenants.statusOf(item.tenantId)) !== 'active';
      return lease.state() === 'running' && !isStopped() && !isSuspended;
    };
    const counted = countReading(stoppable(staging.open(item.tenantId, file), shouldContinue));
    const toResult = (report: Report | undefined) => ({ report, delayMs: isSuspended ? MAX_DELAY_MS : 0 });
    let prepared: PreparedImport;
    try {
      prepared = await prepare(options, counted.file, item, warnings, 'job');
    } catch (error) {
      return toResult(await endUnprepared(held, error));
    }
    const running = { lease, options, warnings, bytes: counted.bytes, retryForMs: RETRY_FOR_MS };
    try {
      const result = await run.run({ ...running, isStopped: () => isStopped() || isSuspended }, prepared);
      return toResult(result.report);
    } finally {
      prepared.close();
    }
  }

  /** Ends an import whose file could not be prepared, unless reading was stopped. Rethrows transient errors. */
  async function endUnprepared(held: LeasedImport, error: unknown): Promise<Report | undefined> {
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
