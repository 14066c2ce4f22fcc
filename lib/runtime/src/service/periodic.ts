import type { Logger } from 'pino';
import type { Lease } from '../mongo/lease.ts';
import { createIdlePause } from './idle-pause.ts';
import type { Worker } from './service-app.ts';
import { createWaiter } from './waiter.ts';

export interface PeriodicWorker extends Worker {
  /** Says that there is work, so that it need not wait for the next look. */
  nudge(): void;
}

/**
 * Does some work at once, and again `everyMs` milliseconds after each time that it ended, or when it is nudged. A
 * failure is logged once until the work succeeds again, and the work is repeated like any other.
 *
 * @param idleEveryMs with it, pauses grow up to this while `work` resolves to false: it found nothing to do
 * @param what what cannot be done, for the log: `interrupted imports could not be ended`
 * @param work may ask whether the worker is to stop, when it takes long: `stop` waits for it
 * @param lease with it, one replica at a time does the work. It expires by itself: work that takes longer has to
 * acquire it in between
 */
export function createPeriodicWorker({
  everyMs,
  idleEveryMs = everyMs,
  work,
  what,
  log,
  lease,
}: {
  readonly everyMs: number;
  readonly idleEveryMs?: number;
  readonly work: (isStopped: () => boolean) => Promise<unknown>;
  readonly what: string;
  readonly log: Logger;
  readonly lease?: Lease;
}): PeriodicWorker {
  const waiter = createWaiter();
  const pause = createIdlePause({ everyMs, idleEveryMs });
  let running: Promise<void> = Promise.resolve();
  let failing = false;

  async function takeTurn(): Promise<void> {
    try {
      const mayWork = lease === undefined || (await lease.acquire());
      const found = mayWork && (await work(waiter.isStopped));
      if (found !== false) pause.worked();
      failing = false;
    } catch (error) {
      pause.worked();
      if (!failing) log.warn({ err: error }, `${what}, trying again`);
      failing = true;
    }
  }

  async function release(): Promise<void> {
    try {
      await lease?.release();
    } catch (error) {
      log.warn({ err: error }, 'a lease was not given back, it expires by itself');
    }
  }

  async function run(): Promise<void> {
    while (!waiter.isStopped()) {
      await takeTurn();
      await waiter.forWork(pause.ms());
    }
    await release();
  }

  return {
    start() {
      running = run();
    },
    nudge() {
      pause.worked();
      waiter.nudge();
    },
    async stop() {
      waiter.stop();
      await running;
    },
  };
}
