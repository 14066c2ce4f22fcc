import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { LedgerStore } from './ledger-store.ts';

interface Dependencies {
  readonly store: Pick<LedgerStore, 'settleSome'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 2_000;
const IDLE_LOOK_EVERY_MS = 5_000;
/** An admission takes milliseconds. */
const ABANDONED_AFTER_MS = 5_000;

/** Settles what killed and stalled processes left in ledgers, on one replica at a time. */
export function createLedgerSweeper({ store, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    idleEveryMs: IDLE_LOOK_EVERY_MS,
    failure: 'ledgers of response limits could not be settled',
    lease,
    log,
    work: () => store.settleSome(new Date(clock().getTime() - ABANDONED_AFTER_MS)),
  });
}
