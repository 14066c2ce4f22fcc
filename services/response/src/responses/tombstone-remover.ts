import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { DeletedResponseStore } from './deleted-response-store.ts';

interface Dependencies {
  readonly store: Pick<DeletedResponseStore, 'deleteTombstones'>;
  /** Days that the change feed reports a deletion. */
  readonly keptDays: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Additional time for requests whose cursor expires while they run. */
const MARGIN_MS = 60 * 60_000;

/**
 * Deletes old tombstones. Runs on one replica at a time. `keptDays` must be longer than an `Idempotency-Key` is
 * valid (a day), and than any stalled write or import lasts.
 */
export function createTombstoneRemover({ store, keptDays, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot delete old tombstones of responses',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - keptDays * DAY_MS - MARGIN_MS);
      while ((await store.deleteTombstones(before)) && !isStopped() && (await lease.acquire()));
    },
  });
}
