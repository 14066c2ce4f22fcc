import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { DeletedResponseStore } from './deleted-response-store.ts';

interface Dependencies {
  readonly store: Pick<DeletedResponseStore, 'forgetSome'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 10 * 60_000;
/** A day and an hour: an `Idempotency-Key` is good for a day, and no stalled write or import is that old. */
const KEPT_MS = 25 * 60 * 60_000;

/** Deletes old tombstones, on one replica at a time. */
export function createDeletedResponseSweeper({ store, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    failure: 'tombstones of deleted responses could not be deleted',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - KEPT_MS);
      while ((await store.forgetSome(before)) && !isStopped() && (await lease.acquire()));
    },
  });
}
