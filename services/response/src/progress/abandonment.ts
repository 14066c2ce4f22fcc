import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { ProgressStore } from './progress-store.ts';

interface Dependencies {
  readonly store: Pick<ProgressStore, 'abandonBatch'>;
  /** Hours after the last save until a response is abandoned. */
  readonly afterHours: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 60_000;
const HOUR_MS = 60 * 60_000;

/**
 * Marks inactive responses as abandoned, on one replica at a time. The lease only saves work. Two replicas would do no
 * harm, because the write checks the status and the time of the last save.
 */
export function createAbandonment({ store, afterHours, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot mark responses as abandoned',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - afterHours * HOUR_MS);
      while ((await store.abandonBatch(before, clock())) && !isStopped() && (await lease.acquire()));
    },
  });
}
