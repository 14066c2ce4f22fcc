import type { Logger } from 'pino';
import { createLoop } from './loop.ts';
import type { Worker } from './worker.ts';

export interface PeriodicWorker extends Worker {
  /** Ends the wait for the next run, but not the pause after a failure. */
  wake(): void;
}

/** Only the replica that holds the lease works. */
interface WorkLease {
  acquire(): Promise<boolean>;
  release(): Promise<void>;
}

interface Options {
  /** The wait after each run, measured from its end. Milliseconds. */
  readonly everyMs: number;
  /**
   * If given, the wait grows up to this while `work` resolves to false (nothing to do), or another replica has the
   * lease. Milliseconds.
   */
  readonly idleEveryMs?: number;
  /** A long run should check `isStopped`, because `stop` waits for its end. */
  readonly work: (isStopped: () => boolean) => Promise<unknown>;
  /** The failure for the log, as in "cannot purge surveys". */
  readonly failure: string;
  readonly log: Logger;
  /** Acquired before each run. A long run must renew it, because it expires. */
  readonly lease?: WorkLease;
}

const FIRST_RETRY_MS = 1_000;

/** Runs the work now and after each wait. Logs the first failure of a series, and retries with backoff. */
export function createPeriodicWorker(options: Options): PeriodicWorker {
  const { everyMs, idleEveryMs = everyMs, work, failure, log, lease } = options;
  const backoff = { firstMs: Math.min(FIRST_RETRY_MS, everyMs), maxMs: everyMs };

  async function step(isStopped: () => boolean) {
    const mayWork = lease === undefined || (await lease.acquire());
    return { foundWork: mayWork && (await work(isStopped)) !== false };
  }

  return createLoop({ step, everyMs, idleEveryMs, backoff, failure, log, ...(lease === undefined ? {} : { lease }) });
}
