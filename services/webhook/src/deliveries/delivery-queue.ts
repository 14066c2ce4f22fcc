import type { Delivery, Lease, Settlement } from './delivery.ts';
import type { WebhookRange } from './due-claimer.ts';

/** Due deliveries of all tenants, shared by any number of workers. */
export interface DeliveryQueue {
  /**
   * Finds the oldest due delivery of each webhook. The cost depends on the number of webhooks in the range that have
   * waiting deliveries, not on the number of deliveries.
   */
  findHeads(query: { readonly stage: Stage; readonly now: Date; readonly range: WebhookRange }): Promise<DueHeads>;
  /** Finds ids of due deliveries of a webhook, oldest first. */
  findDue(query: {
    readonly stage: Stage;
    readonly webhookId: string;
    readonly now: Date;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Claims the deliveries that are still due. Returns the claimed ones. */
  claim(ids: readonly string[], lease: Lease & { readonly now: Date }): Promise<readonly Delivery[]>;
  /** Stores the result. Returns false if the lease was lost. You may call it again if it throws. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Releases claims. The deliveries are due at `dueAt`. Deliveries whose lease was lost are skipped. */
  release(claimed: readonly Claimed[], dueAt: Date): Promise<void>;
}

export interface NewDeliveries {
  /**
   * Stores deliveries durably: reserved ones as claimed, others as due. Existing deliveries stay unchanged. Returns the
   * ids of the inserted ones.
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
  /** Webhooks of the range with waiting deliveries, due or not. */
  readonly waitingWebhookIds: readonly string[];
}

export interface DueHead extends WebhookKey {
  readonly id: string;
  readonly dueAt: Date;
}

/** The next attempt of a delivery: the first one, or a later one. */
export type SendStage = 'fresh' | 'retry';

/** The next step of a delivery. `answers`: add answers to its body before the first attempt. Stored as `lane`. */
export type Stage = SendStage | 'answers';

/** Their due deliveries are the backlog. */
export const stages: readonly Stage[] = ['fresh', 'retry', 'answers'];

export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}
