import type { Delivery, Lease } from './delivery.ts';

/** Admits new deliveries before they are stored, so that this process can send them without a search. */
export interface Admission {
  /** Resolves when there is capacity for new deliveries, or after a short wait. */
  ready(): Promise<void>;
  /** Reserves capacity. Store the reserved deliveries with the lease, then commit or abandon the reservation. */
  reserve(deliveries: readonly Delivery[]): Reservation;
}

interface Reservation {
  /** Deliveries with reserved capacity. */
  readonly ids: ReadonlySet<string>;
  readonly lease: Lease;
  /** Sends the reserved deliveries that were stored. @param storedIds ids that this write inserted */
  commit(storedIds: ReadonlySet<string>): void;
  /** Releases the reservation and its claims. Call it if the write failed. */
  abandon(): void;
}
