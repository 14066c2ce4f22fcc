import type { Logger } from 'pino';
import type { Lease } from '../mongo/lease.ts';
import type { Worker } from './service-app.ts';
import { createWaiter } from './waiter.ts';

/**
 * Does some work at once, and again `everyMs` milliseconds after each time that it ended. Work that fails is warned of
 * once until it succeeds, and done again like any other.
 *
 * @param what what cannot be done, for the log: `interrupted imports could not be ended`
 * @param work may ask whether the worker is to stop, when it takes long: `stop` waits for it
 * @param lease with it, one replica at a time does the work. It expires by itself: work that takes longer has to
 * acquire it in between
 */
export function createPeriodicWorker({
  everyMs,
  work,
  what,
  log,
  lease,
}: {
  readonly everyMs: number;
  readonly work: (isStopped: () => boolean) => Promise<void>;
  readonly what: string;
  readonly log: Logger;
  readonly lease?: Lease;
}): Worker {
  const waiter = createWaiter();
  let running: Promise<void> = Promise.resolve();
  let failing = false;

  async function takeTurn(): Promise<void> {
    try {
      if (lease === undefined || (await lease.acquire())) await work(waiter.isStopped);
      failing = false;
    } catch (error) {
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
      await waiter.pause(everyMs);
    }
    await release();
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      waiter.stop();
      await running;
    },
  };
}
