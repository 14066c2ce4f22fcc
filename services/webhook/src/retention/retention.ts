import { setTimeout as sleep } from 'node:timers/promises';
import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';

/** Deletes a batch of what is kept only since a time. Returns false if nothing is left. */
type Deletion = (before: Date) => Promise<boolean>;

export interface ExpiredStore {
  /** Deletes records that were created before the time and are not needed. */
  readonly deleteSome: Deletion;
}

interface Dependencies {
  readonly deletions: readonly Deletion[];
  readonly keptMs: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const POLL_MS = 60_000;
/** The pause between batches. It limits deletion to some thousand records a second. */
const PAUSE_MS = 100;

/**
 * Deletes expired records on one replica at a time. The lease only saves work: two replicas would delete the same
 * records.
 */
export function createRetention({ deletions, keptMs, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: POLL_MS,
    failure: 'cannot delete old deliveries',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - keptMs);
      for (const deleteSome of deletions) {
        while (!isStopped() && (await lease.acquire()) && (await deleteSome(before))) await sleep(PAUSE_MS);
      }
    },
  });
}
