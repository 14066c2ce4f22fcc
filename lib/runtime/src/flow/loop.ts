import type { Logger } from 'pino';
import { type Backoff, backoffMs } from './retry.ts';

/** The result of a step. It decides when the next step runs. */
export interface StepResult {
  /**
   * Whether more work is expected soon, usually because the step found some. While it is false, the loop's waits grow.
   */
  readonly expectsWork: boolean;
  /** A pause that only `stop` ends early, for example to let work accumulate. Milliseconds. */
  readonly pauseMs?: number;
  /** Whether the loop skips its own wait, which `wake` ends. The next step follows directly, or after `pauseMs`. */
  readonly skipsWait?: boolean;
}

interface Options {
  /** `isStopped` lets a long step end early. Steps never overlap. */
  readonly step: (isStopped: () => boolean) => Promise<StepResult>;
  /** The wait between steps while there is work. Milliseconds. */
  readonly everyMs: number;
  /** The longest wait between steps. Milliseconds. */
  readonly idleEveryMs?: number;
  /** Pauses after failures. `wake` does not end them, so wake-ups cannot overload a failed dependency. */
  readonly backoff: Backoff;
  /** The failure for the log, as in "cannot purge surveys". */
  readonly failure: string;
  readonly log: Logger;
  /** Released after the last step. The steps acquire it, and a long step also renews it. */
  readonly lease?: { release(): Promise<void> };
}

/** The wait is this share of the time since the last work, so a loop without work checks less and less often. */
const IDLE_SHARE = 1 / 10;

/** Repeats a step in the background until it is stopped. Logs only the first failure of a series, and continues. */
export function createLoop(options: Options) {
  const { step, everyMs, idleEveryMs = everyMs, backoff, failure, log, lease } = options;
  const timer = createWakeableTimer();
  let workedAt = performance.now();
  let failures = 0;
  let running: Promise<void> = Promise.resolve();

  const waitMs = () => Math.min(idleEveryMs, Math.max(everyMs, (performance.now() - workedAt) * IDLE_SHARE));

  async function runStep(): Promise<void> {
    const { expectsWork, pauseMs = 0, skipsWait = false } = await step(timer.isStopped);
    failures = 0;
    if (expectsWork) expectWork();
    if (pauseMs > 0) await timer.pause(pauseMs);
    if (!skipsWait) await timer.waitForWork(waitMs());
  }

  async function run(): Promise<void> {
    while (!timer.isStopped()) {
      try {
        await runStep();
      } catch (error) {
        failures += 1;
        const retryMs = backoffMs(backoff, failures);
        if (failures === 1) log.warn({ err: error, retry_in_ms: retryMs }, `${failure}, retrying`);
        await timer.pause(retryMs);
      }
    }
  }

  async function release(): Promise<void> {
    try {
      await lease?.release();
    } catch (error) {
      log.warn({ err: error }, 'cannot release the lease, it expires by itself');
    }
  }

  /** Makes the next waits short again, as after a step that found work. Does not end the current wait. */
  function expectWork(): void {
    workedAt = performance.now();
  }

  return {
    start(): void {
      running = run().then(release);
    },
    expectWork,
    /** Ends the wait for the next step. During a step, it ends the wait after that step. */
    wake(): void {
      expectWork();
      timer.wake();
    },
    /** Ends the current pause, and resolves when the current step has ended. */
    async stop(): Promise<void> {
      timer.stop();
      await running;
    },
    isStopped: timer.isStopped,
  };
}

export function createWakeableTimer() {
  let stopped = false;
  let woken = false;
  let check = () => {};

  function wait(ms: number, isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    check = () => {
      if (!isOver()) return;
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  return {
    /** Waits for the time, `wake` or `stop`. Returns immediately if `wake` was called since the last `waitForWork`. */
    async waitForWork(ms: number): Promise<void> {
      await wait(ms, () => woken || stopped);
      woken = false;
    },
    /** Waits for the time or `stop`. */
    pause: (ms: number) => wait(ms, () => stopped),
    wake(): void {
      woken = true;
      check();
    },
    stop(): void {
      stopped = true;
      check();
    },
    isStopped: () => stopped,
  };
}

export interface PeriodicWorker extends Worker {
  /** Ends the wait for the next run, but not the pause after a failure. */
  wake(): void;
}

/** Only the replica that holds the lease works. */
interface WorkLease {
  acquire(): Promise<boolean>;
  release(): Promise<void>;
}

interface PeriodicWorkerOptions {
  /** The wait after each run, measured from its end. Milliseconds. */
  readonly everyMs: number;
  /** The longest wait, reached while `work` resolves to false or another replica has the lease. Milliseconds. */
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
export function createPeriodicWorker(options: PeriodicWorkerOptions): PeriodicWorker {
  const { everyMs, idleEveryMs = everyMs, work, failure, log, lease } = options;
  const backoff = { firstMs: Math.min(FIRST_RETRY_MS, everyMs), maxMs: everyMs };

  async function step(isStopped: () => boolean) {
    const mayWork = lease === undefined || (await lease.acquire());
    return { expectsWork: mayWork && (await work(isStopped)) !== false };
  }

  return createLoop({ step, everyMs, idleEveryMs, backoff, failure, log, ...(lease === undefined ? {} : { lease }) });
}

export interface Worker {
  start(): void;
  /** Resolves when the work has ended. Interrupted work must be safe to repeat. */
  stop(): Promise<void>;
}
