import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Lease, Settlement } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

interface Dependencies {
  readonly queue: Pick<DeliveryQueue, 'settle'>;
  readonly clock: () => Date;
  /** Whether to give up after an error. */
  readonly isStopped: () => boolean;
}

/**
 * Stores the result of a delivery. Returns false if the lease was lost. Retries while the lease lasts, so that the
 * delivery is not sent twice; then it throws the last error.
 */
export type SettleWhileLeased = (delivery: Delivery, lease: Lease, settlement: Settlement) => Promise<boolean>;

/** The pause before a retry. Milliseconds. */
const PAUSE_MS = 1_000;

export function createSettleWhileLeased({ queue, clock, isStopped }: Dependencies): SettleWhileLeased {
  return async (delivery, lease, settlement) => {
    for (;;) {
      try {
        return await queue.settle(delivery, lease.claim, settlement);
      } catch (error) {
        if (clock() >= lease.until || isStopped()) throw error;
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
  };
}
