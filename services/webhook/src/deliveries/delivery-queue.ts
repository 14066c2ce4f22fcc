import type { Delivery, Lease, Settlement } from './delivery.ts';
import type { Stage, WebhookKey } from './stage.ts';
import type { WebhookRange } from './webhook-ranges.ts';

/** Due deliveries of all tenants, shared by any number of workers. */
export interface DeliveryQueue {
  /**
   * Finds the delivery of each webhook that has been due for longest. Its cost depends on the number of webhooks in the
   * range that have pending deliveries, not on the number of deliveries.
   */
  findHeads(query: { readonly stage: Stage; readonly now: Date; readonly range: WebhookRange }): Promise<DueHeads>;
  /** Finds the ids of due deliveries of a webhook, the oldest first. */
  findDue(query: {
    readonly stage: Stage;
    readonly webhookId: string;
    readonly now: Date;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Claims the deliveries that are still due, until the lease ends. */
  claim(ids: readonly string[], lease: Lease & { readonly now: Date }): Promise<readonly Delivery[]>;
  /** Stores the result. Returns false if the lease was lost. May be called again if it throws. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Releases deliveries as if they had never been claimed. They are due at `dueAt`. Skips those whose lease was lost. */
  release(claimed: readonly Claimed[], dueAt: Date): Promise<void>;
}

/** Where new deliveries go. */
export interface NewDeliveries {
  /**
   * Resolves when all are stored durably, with the ids of those that were not there already; those stay as they are.
   * The reserved ones are stored as claimed, the others as due.
   */
  insertNew(
    deliveries: readonly Delivery[],
    reserved: { readonly ids: ReadonlySet<string>; readonly lease: Lease },
  ): Promise<ReadonlySet<string>>;
}

export interface Claimed {
  readonly id: string;
  readonly claim: string;
}

interface DueHeads {
  readonly heads: readonly DueHead[];
  /** The webhooks of the range with pending deliveries, due or not. */
  readonly pendingIds: readonly string[];
}

export interface DueHead extends WebhookKey {
  readonly id: string;
  readonly dueAt: Date;
}
