import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { DeletedResponseStore } from './deleted-response-store.ts';

interface Dependencies {
  readonly store: Pick<DeletedResponseStore, 'deleteTombstones'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10 * 60_000;
/** Longer than an `Idempotency-Key` is valid (a day), and longer than any stalled write or import lasts. */
const RETENTION_MS = 25 * 60 * 60_000;

/** Deletes old tombstones. Runs on one replica at a time. */
export function createDeletedResponseSweeper({ store, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot delete old tombstones of responses',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - RETENTION_MS);
      while ((await store.deleteTombstones(before)) && !isStopped() && (await lease.acquire()));
    },
  });
}
