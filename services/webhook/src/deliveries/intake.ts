import type { Delivery } from './delivery.ts';
import type { Lease } from './delivery-queue.ts';

/** Takes new deliveries in before they are stored, so that nobody has to look for them afterwards. */
export interface Intake {
  /** Resolves when there is room for new ones, or after a moment without. */
  ready(): Promise<void>;
  /** Takes those that there is room for. They have to be stored with the lease, and then be begun or given up. */
  reserve(deliveries: readonly Delivery[]): Reservation;
}

interface Reservation {
  readonly ids: ReadonlySet<string>;
  readonly lease: Lease;
  /** Those of the ids that were not there already are stored; nothing is sent before. */
  begin(storedIds: ReadonlySet<string>): void;
  /** Nobody knows what was stored. */
  giveUp(): void;
}
