import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { LedgerStore } from './ledger-store.ts';

interface Dependencies {
  readonly store: Pick<LedgerStore, 'settleBatch' | 'continueRecounts'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 2_000;
const IDLE_INTERVAL_MS = 5_000;
/** An entry of this age is abandoned: a write takes only milliseconds. */
const ABANDONED_AFTER_MS = 5_000;

/**
 * Settles the ledger entries of killed and stalled processes, and continues recounts that take several steps. Runs on
 * one replica at a time.
 */
export function createLedgerSweeper({ store, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    idleEveryMs: IDLE_INTERVAL_MS,
    failure: 'cannot settle ledgers of response limits',
    lease,
    log,
    async work() {
      const hasSettled = await store.settleBatch(new Date(clock().getTime() - ABANDONED_AFTER_MS));
      return (await store.continueRecounts()) || hasSettled;
    },
  });
}
