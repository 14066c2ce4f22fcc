import { setTimeout as sleep } from 'node:timers/promises';
import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';

/** Records that are kept for a while. */
export interface Expiring {
  /** Deletes some of those made before that are over. False when there are none left. */
  deleteSome(before: Date): Promise<boolean>;
}

interface Dependencies {
  readonly records: readonly Expiring[];
  readonly keptMs: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 60_000;
/** Between batches, so that no more than some thousand a second are deleted beside what is sent. */
const PAUSE_MS = 100;

/**
 * Deletes what has been kept for long enough, on one replica at a time. The lease only saves work: records that are old
 * enough for a process that stalled are so for all.
 */
export function createRetention({ records, keptMs, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    failure: 'cannot delete old deliveries',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - keptMs);
      for (const { deleteSome } of records) {
        while (!isStopped() && (await lease.acquire()) && (await deleteSome(before))) await sleep(PAUSE_MS);
      }
    },
  });
}
