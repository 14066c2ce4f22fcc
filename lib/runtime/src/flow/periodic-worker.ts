import type { Logger } from 'pino';
import { createLoop } from './loop.ts';
import type { Worker } from './worker.ts';

export interface PeriodicWorker extends Worker {
  /** Starts the work without waiting for the end of the pause. */
  wake(): void;
}

/** Lets one replica at a time do the work. */
interface WorkLease {
  acquire(): Promise<boolean>;
  release(): Promise<void>;
}

interface Options {
  /** The pause after each run, measured from its end. Milliseconds. */
  readonly everyMs: number;
  /** With it, the pause grows up to this while `work` resolves to false: there was nothing to do. Milliseconds. */
  readonly idleEveryMs?: number;
  /** A long run checks `isStopped`: `stop` waits for its end. */
  readonly work: (isStopped: () => boolean) => Promise<unknown>;
  /** The failure for the log, as in "cannot purge surveys". */
  readonly failure: string;
  readonly log: Logger;
  /** Acquired before each run. It expires by itself, so a long run acquires it in between. */
  readonly lease?: WorkLease;
}

const FIRST_RETRY_MS = 1_000;

/** Runs some work at once, then again and again. Logs the first failure of a row, and retries with a backoff. */
export function createPeriodicWorker(options: Options): PeriodicWorker {
  const { everyMs, idleEveryMs = everyMs, work, failure, log, lease } = options;
  const backoff = { firstMs: Math.min(FIRST_RETRY_MS, everyMs), maxMs: everyMs };

  async function step(isStopped: () => boolean) {
    const mayWork = lease === undefined || (await lease.acquire());
    return { foundWork: mayWork && (await work(isStopped)) !== false };
  }

  return createLoop({ step, everyMs, idleEveryMs, backoff, failure, log, ...(lease === undefined ? {} : { lease }) });
}
