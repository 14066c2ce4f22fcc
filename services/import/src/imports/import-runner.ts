import { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { createPeriodicWorker, type PeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { Logger } from 'pino';
import { countReading } from '../files/counted-file.ts';
import { ReadingStopped, stoppable } from '../files/stoppable-file.ts';
import { isTransient } from '../retries/retry-policy.ts';
import type { Staging } from '../staging/staged-file.ts';
import type { Hold, KeepHold } from './hold.ts';
import type { Failure, Import } from './import.ts';
import type { Lease } from './import-store.ts';
import type { Prepare, PreparedImport } from './prepare-import.ts';
import type { Report } from './report.ts';
import { type ImportRun, toFailure } from './run-import.ts';
import { createWarnings, type Warnings } from './warnings.ts';

interface Dependencies {
  /** Gives the next import that it is to go on with; undefined when there is none. */
  readonly take: (lease: Lease & { readonly now: Date }) => Promise<Import | undefined>;
  readonly staging: Pick<Staging, 'open' | 'discard'>;
  readonly prepare: Prepare;
  readonly run: ImportRun;
  readonly keepHold: KeepHold;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** An import that this process has, and what is to be told of its file. */
interface Held {
  readonly hold: Hold;
  readonly warnings: Warnings;
}

/** What became of an import: without a report it is not over, and rests for so long. */
interface Turn {
  readonly report: Report | undefined;
  readonly restMs: number;
  readonly failingSince?: Date;
}

const LOOK_EVERY_MS = 500;
const IDLE_LOOK_EVERY_MS = 5_000;
/** For how long what is away is tried again before the import fails, or what goes there counts as refused. */
const RETRY_FOR_MS = 15 * 60_000;
/** One that kills its process is not begun for ever. */
const MAX_ATTEMPTS = 10;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const INTERRUPTED: Failure = {
  code: 'INTERRUPTED',
  detail: 'The import was interrupted; what it had stored by then is there',
  errors: [],
};

/**
 * Goes on with imports, one after another, from where another process stopped: runs jobs, whose files are staged, and
 * ends those that were cancelled, or died with their call. Any number of them may run, in any number of processes.
 */
export function createImportRunner(dependencies: Dependencies): PeriodicWorker {
  const { take, staging, prepare, run, keepHold, tenants, clock, newId, leaseMs, log } = dependencies;

  async function runJob(
    held: Held,
    { plan, file }: NonNullable<Import['job']>,
    isStopped: () => boolean,
  ): Promise<Turn> {
    const { hold, warnings } = held;
    const { item } = hold;
    let isSuspended = false;
    const goesOn = async () => {
      isSuspended = (await tenants.statusOf(item.tenantId)) !== 'active';
      return hold.standing() === 'running' && !isStopped() && !isSuspended;
    };
    const counted = countReading(stoppable(staging.open(item.tenantId, file), goesOn));
    const toTurn = (report: Report | undefined) => ({ report, restMs: isSuspended ? LONGEST_PAUSE_MS : 0 });
    let prepared: PreparedImport;
    try {
      prepared = await prepare(plan, counted.file, item, warnings);
    } catch (error) {
      return toTurn(await endUnprepared(held, error));
    }
    const running = { hold, plan, warnings, bytes: counted.bytes, retryForMs: RETRY_FOR_MS };
    const ran = await run.run({ ...running, isStopped: () => isStopped() || isSuspended }, prepared);
    return toTurn(ran.report);
  }

  /** Ends an import whose file could not be prepared. Throws an error that may not occur the next time. */
  async function endUnprepared(held: Held, error: unknown): Promise<Report | undefined> {
    const failure = toAppError(error);
    if (!(error instanceof ReadingStopped) && isTransient(failure)) throw error;
    if (held.hold.standing() === 'cancelling') return run.cancel(held);
    return failure.cause instanceof ReadingStopped ? undefined : run.fail(held, toFailure(failure));
  }

  async function goOn(held: Held, isStopped: () => boolean): Promise<Turn> {
    const { item, standing } = held.hold;
    if (standing() === 'cancelling') return { report: await run.cancel(held), restMs: 0 };
    if (item.job === undefined) {
      log.warn({ tenant_id: item.tenantId, import_id: item.id }, 'an import was interrupted, it counts as failed');
      return { report: await run.fail(held, INTERRUPTED), restMs: 0 };
    }
    if (item.attempts <= MAX_ATTEMPTS) return runJob(held, item.job, isStopped);
    return { report: await run.fail(held, toFailure(new AppError('INTERNAL'))), restMs: 0 };
  }

  /** Has one that broke off tried again later; of one that has for too long it tells what keeps it from going on. */
  async function postpone(held: Held, error: unknown): Promise<Turn> {
    const { item, hasAdvanced } = held.hold;
    const now = clock();
    const since = (hasAdvanced() ? undefined : item.failingSince) ?? now;
    const failingMs = now.getTime() - since.getTime();
    log.warn({ err: error, import_id: item.id, failing_ms: failingMs }, 'an import broke off');
    if (failingMs >= RETRY_FOR_MS) return { report: await run.fail(held, toFailure(toAppError(error))), restMs: 0 };
    const restMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, failingMs));
    return { report: undefined, restMs, failingSince: since };
  }

  async function attempt(item: Import, claim: string, isStopped: () => boolean): Promise<void> {
    const hold = keepHold(item, claim);
    const held = { hold, warnings: createWarnings(item.job?.plan.place ?? '') };
    try {
      const { report, restMs, failingSince } = await goOn(held, isStopped).catch((error: unknown) =>
        postpone(held, error),
      );
      // Nothing happens where another process has it by now: that one needs the file.
      if (report === undefined) await hold.release(new Date(clock().getTime() + restMs), failingSince);
      else if (item.job !== undefined) await staging.discard(item.tenantId, item.job.file.id);
    } finally {
      hold.end();
    }
  }

  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    idleEveryMs: IDLE_LOOK_EVERY_MS,
    failure: 'cannot run imports',
    log,
    async work(isStopped) {
      let hasWorked = false;
      while (!isStopped()) {
        const now = clock();
        const claim = newId();
        const item = await take({ claim, now, until: new Date(now.getTime() + leaseMs) });
        if (item === undefined) return hasWorked;
        hasWorked = true;
        await attempt(item, claim, isStopped);
      }
      return hasWorked;
    },
  });
}
