import type { Logger } from 'pino';
import { type Backoff, backoffMs } from './backoff.ts';
import { createWakeableTimer } from './wakeable-timer.ts';

/** Repeats a step in the background until it is stopped. */
interface Loop {
  start(): void;
  /** Ends the wait for the next step. A wake-up during a step counts afterwards. */
  wake(): void;
  /** Makes waits short again, as after a step that found work. The current wait keeps its end. */
  expectWork(): void;
  /** Ends the current pause, and resolves when the current step has ended. */
  stop(): Promise<void>;
  isStopped(): boolean;
}

/** The behaviour of the loop after a step. */
export interface Next {
  /** Whether the step found work, or expects some soon. The wait for the next step grows while none does. */
  readonly foundWork: boolean;
  /** A pause that only `stop` ends early. Milliseconds. */
  readonly pauseMs?: number;
  /** Whether the next step follows without a wait. */
  readonly again?: boolean;
}

interface Options {
  /** `isStopped` tells a long step to end early. Steps never overlap. */
  readonly step: (isStopped: () => boolean) => Promise<Next>;
  /** The wait between steps while there is work, and for a while afterwards. Milliseconds. */
  readonly everyMs: number;
  /** The longest wait between steps. Milliseconds. */
  readonly idleEveryMs?: number;
  /** Pauses after failed steps. They ignore `wake`: frequent wake-ups do not hammer a dependency that is down. */
  readonly backoff: Backoff;
  /** The failure for the log, as in "cannot purge surveys". */
  readonly failure: string;
  readonly log: Logger;
  /** Released after the last step. It expires by itself if that fails. */
  readonly lease?: { release(): Promise<void> };
}

/** The share of the quiet time that a wait lasts: work that appears after it waits hardly longer than it was quiet. */
const IDLE_SHARE = 1 / 10;

/** Runs the step at once, and again after each wait. Logs the first failure of a row, and goes on. */
export function createLoop(options: Options): Loop {
  const { step, everyMs, idleEveryMs = everyMs, backoff, failure, log, lease } = options;
  const timer = createWakeableTimer();
  let workedAt = performance.now();
  let failures = 0;
  let running: Promise<void> = Promise.resolve();

  const waitMs = () => Math.min(idleEveryMs, Math.max(everyMs, (performance.now() - workedAt) * IDLE_SHARE));

  async function runStep(): Promise<void> {
    const { foundWork, pauseMs = 0, again = false } = await step(timer.isStopped);
    failures = 0;
    if (foundWork) expectWork();
    if (pauseMs > 0) await timer.pause(pauseMs);
    if (!again) await timer.waitForWork(waitMs());
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

  function expectWork(): void {
    workedAt = performance.now();
  }

  return {
    start() {
      running = run().then(release);
    },
    expectWork,
    wake() {
      expectWork();
      timer.wake();
    },
    async stop() {
      timer.stop();
      await running;
    },
    isStopped: timer.isStopped,
  };
}
