import type { Delivery, Settlement } from './delivery.ts';

/** Deliveries whose time has come, of all tenants, shared by any number of workers. */
export interface DeliveryQueue {
  /** The longest due first, without those of some webhooks. */
  findDue(query: {
    readonly now: Date;
    readonly except: readonly string[];
    readonly limit: number;
  }): Promise<readonly DueDelivery[]>;
  /**
   * Takes those that are due still, until the lease ends; then others may have them. `claim` is the fencing token: it
   * differs for each call, and a result that comes with an older one is refused.
   */
  claim(
    ids: readonly string[],
    lease: { readonly claim: string; readonly now: Date; readonly until: Date },
  ): Promise<readonly Delivery[]>;
  /** Writes the result down; false when the lease was lost before. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Gives one back as if it had never been taken. */
  handBack(delivery: Delivery, claim: string, now: Date): Promise<void>;
}

export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
}
