import type { Delivery, Lease } from './delivery.ts';

/** Admits new deliveries before they are stored, so that no worker has to look for them afterwards. */
export interface Admission {
  /** Resolves when there is capacity for new deliveries, or after a short wait. */
  ready(): Promise<void>;
  /** Reserves capacity. Store the reserved deliveries with the lease, then commit or abandon the reservation. */
  reserve(deliveries: readonly Delivery[]): Reservation;
}

interface Reservation {
  /** The deliveries that there is capacity for. */
  readonly ids: ReadonlySet<string>;
  readonly lease: Lease;
  /** Sends the reserved deliveries that were stored. @param storedIds without those that were stored before */
  commit(storedIds: ReadonlySet<string>): void;
  /** Releases the reservation and its claims, if it is unknown what was stored. */
  abandon(): void;
}
