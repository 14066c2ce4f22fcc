import type { Lease } from '@survey/runtime/mongo/lease';
import { createPeriodicWorker } from '@survey/runtime/service/periodic';
import type { Worker } from '@survey/runtime/service/service-app';
import type { Logger } from 'pino';
import type { LedgerStore } from './ledger-store.ts';

interface Dependencies {
  readonly store: Pick<LedgerStore, 'settleSome'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 2_000;
/** Who lets somebody in is done long before. */
const LEFT_AFTER_MS = 5_000;

/** Stores who was let in to a survey with limits by a process that was killed then, on one replica at a time. */
export function createLedgerSweeper({ store, lease, clock, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    what: 'responses to surveys with limits could not be stored',
    lease,
    log,
    work: () => store.settleSome(new Date(clock().getTime() - LEFT_AFTER_MS)),
  });
}
