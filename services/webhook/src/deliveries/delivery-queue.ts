import type { Delivery, Settlement } from './delivery.ts';
import type { Stage, WebhookKey } from './lane.ts';

/** Deliveries whose time has come, of all tenants, shared by any number of workers. */
export interface DeliveryQueue {
  /** Of each webhook that has any, the one that has been due for longest. */
  findHeads(query: { readonly lane: Stage; readonly now: Date }): Promise<readonly DueHead[]>;
  /** Ids of those of a webhook, the longest due first. */
  findDue(query: {
    readonly lane: Stage;
    readonly webhookId: string;
    readonly now: Date;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Takes those that are due still, until the lease ends; then others may have them. */
  claim(ids: readonly string[], lease: Lease & { readonly now: Date }): Promise<readonly Delivery[]>;
  /** Writes the result down; false when the lease was lost before. May be called again when it threw. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Gives some back, due from then on, as if they had never been taken. Passes over those whose lease was lost. */
  handBack(claimed: readonly Claimed[], dueAt: Date): Promise<void>;
}

/** `claim` is the fencing token: it differs for each claim, and a result that comes with an older one is refused. */
export interface Lease {
  readonly claim: string;
  readonly until: Date;
}

interface Claimed {
  readonly id: string;
  readonly claim: string;
}

export interface DueHead extends WebhookKey {
  readonly id: string;
  readonly dueAt: Date;
}
