import type { ClaimLease, NewLease } from '@survey/runtime/mongo/claim';
import type { AnswerResult } from './answers.ts';
import type { Delivery, Settlement, Step, WebhookKey } from './delivery.ts';

/** The oldest due delivery of a webhook in one step. */
export interface OldestDue extends WebhookKey {
  readonly id: string;
  readonly dueAt: Date;
}

/** A range of webhook ids. An undefined bound is open. */
export interface WebhookRange {
  /** Exclusive. */
  readonly after: string | undefined;
  /** Inclusive. */
  readonly upTo: string | undefined;
}

export interface Claimed {
  readonly id: string;
  readonly claim: string;
}

/** Due deliveries of all tenants, shared by any number of workers. */
export interface DeliveryQueue {
  /**
   * Finds the oldest due delivery of each webhook, and the webhooks of the range with any pending delivery. The cost
   * depends on the number of these webhooks, not on the number of deliveries.
   */
  findOldestDue(query: { readonly step: Step; readonly now: Date; readonly range: WebhookRange }): Promise<{
    readonly oldest: readonly OldestDue[];
    readonly pendingWebhookIds: readonly string[];
  }>;
  /** Finds ids of due deliveries of a webhook, oldest first. */
  findDue(query: {
    readonly step: Step;
    readonly webhookId: string;
    readonly now: Date;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Claims the deliveries that are still due. Returns the claimed ones. */
  claim(ids: readonly string[], lease: NewLease): Promise<readonly Delivery[]>;
  /**
   * Stores what became of deliveries that waited for answers and are still under the claim. Returns the ids of those
   * that can be sent; their lease ends at `until`.
   */
  storeAnswerResults(results: readonly AnswerResult[], lease: ClaimLease): Promise<ReadonlySet<string>>;
  /** Stores the result. Returns false if the lease was lost. You may call it again if it throws. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Releases claims. The deliveries are due at `dueAt`. Deliveries whose lease was lost are skipped. */
  release(claimed: readonly Claimed[], dueAt: Date): Promise<void>;
}

/** The result of one call of `claim`. */
interface ClaimedDue {
  readonly claimed: readonly Delivery[];
  readonly lease: ClaimLease;
  /** Webhooks with due deliveries found in this round, claimed or not. */
  readonly webhookIds: readonly string[];
  /** Whether the round has webhooks left. The next call continues it. */
  readonly hasMore: boolean;
  /** False if there was no capacity to claim any. */
  readonly hasSearched: boolean;
}

interface Dependencies {
  /** The step whose due deliveries are claimed. */
  readonly step: Step;
  readonly queue: Pick<DeliveryQueue, 'findOldestDue' | 'findDue' | 'claim'>;
  /** The number of deliveries that may be claimed. It can change during a search. */
  readonly capacity: () => number;
  /** The number of deliveries of a webhook that may be claimed. */
  readonly capacityOf: (oldest: OldestDue) => number;
  /** Whether the receiver is fast. Half of the capacity is for such webhooks. */
  readonly isFast: (webhook: WebhookKey) => boolean;
  readonly newLease: (now: Date) => ClaimLease;
  readonly clock: () => Date;
}

/** The number of webhooks with pending deliveries in one search. It bounds the cost of a search. */
const RANGE_SIZE = 2_048;
/** Up to this number of webhooks, several deliveries of each are claimed. Above it, one of each. */
const FEW_WEBHOOKS = 16;

/**
 * Claims deliveries that are due. Each call searches some webhooks. A round of calls searches all, so a long backlog
 * hides no other webhook.
 */
export function createDueClaimer(dependencies: Dependencies) {
  const { step, queue, capacity, capacityOf, isFast, newLease, clock } = dependencies;
  const ranges = createWebhookRanges(RANGE_SIZE);
  /** Webhooks with due deliveries found in this round. */
  let foundInRound: readonly string[] = [];
  /** Alternates, so that with capacity for one delivery both groups get every second one. */
  let isFastFirst = false;

  async function findDue(oldest: OldestDue, now: Date): Promise<readonly string[]> {
    const limit = Math.min(capacityOf(oldest), capacity());
    // The capacity may have been used up during the search. MongoDB would treat a limit of 0 as no limit.
    return limit <= 0 ? [] : queue.findDue({ step, webhookId: oldest.webhookId, now, limit });
  }

  /** Chooses round robin by tenant, then by webhook. */
  async function chooseOf(oldest: readonly OldestDue[], now: Date): Promise<readonly string[]> {
    const limit = capacity();
    const idsOf = async (one: OldestDue) => (oldest.length > FEW_WEBHOOKS ? [one.id] : findDue(one, now));
    const byTenant = Map.groupBy(oldest.toSorted(byDueTime), ({ tenantId }) => tenantId);
    const found = [...byTenant.values()].map(async (own) => roundRobin(await Promise.all(own.map(idsOf)), limit));
    return roundRobin(await Promise.all(found), limit);
  }

  async function choose(oldest: readonly OldestDue[], now: Date): Promise<readonly string[]> {
    const { fast = [], others = [] } = Object.groupBy(oldest, (one) => (isFast(one) ? 'fast' : 'others'));
    isFastFirst = !isFastFirst;
    const groups = isFastFirst ? [fast, others] : [others, fast];
    return roundRobin(await Promise.all(groups.map((group) => chooseOf(group, now))), capacity());
  }

  return {
    /** Searches the next range, and claims due deliveries in it. */
    async claim(): Promise<ClaimedDue> {
      const now = clock();
      const lease = newLease(now);
      if (capacity() <= 0) return { claimed: [], lease, webhookIds: [], hasMore: false, hasSearched: false };
      const { oldest, pendingWebhookIds } = await queue.findOldestDue({ step, now, range: ranges.current() });
      const hasMore = ranges.advance(pendingWebhookIds);
      const webhookIds = [...foundInRound, ...oldest.map(({ webhookId }) => webhookId)];
      foundInRound = hasMore ? webhookIds : [];
      const available = oldest.filter((one) => capacityOf(one) > 0);
      const chosen = await choose(available, now);
      const claimed = chosen.length === 0 ? [] : await queue.claim(chosen, { ...lease, now });
      return { claimed, lease, webhookIds, hasMore, hasSearched: true };
    },
  };
}

const byDueTime = (one: OldestDue, other: OldestDue) => one.dueAt.getTime() - other.dueAt.getTime();

/** Takes the first item of each list, then the second, and so on, up to the limit. */
function roundRobin<T>(lists: readonly (readonly T[])[], limit: number): readonly T[] {
  const chosen: T[] = [];
  let left = lists;
  for (let round = 0; chosen.length < limit && left.length > 0; round += 1) {
    left = left.filter(({ length }) => length > round);
    for (const list of left) chosen.push(...list.slice(round, round + 1));
  }
  return chosen.slice(0, limit);
}

/**
 * Splits the webhooks into ranges; a round searches one after the other. The first round has one range. Each later
 * round splits the ids of the previous round into ranges of `size` ids.
 */
export function createWebhookRanges(size: number) {
  let bounds: readonly string[] = [];
  let index = 0;
  let foundInRound: readonly string[] = [];

  return {
    current: (): WebhookRange => ({ after: bounds[index - 1], upTo: bounds[index] }),

    /** Advances to the next range. @param foundIds ids of the current range @returns whether the round has more */
    advance(foundIds: readonly string[]): boolean {
      foundInRound = [...foundInRound, ...foundIds.toSorted()];
      index += 1;
      if (index <= bounds.length) return true;
      bounds = foundInRound.filter((_, position) => position % size === size - 1);
      foundInRound = [];
      index = 0;
      return false;
    },
  };
}
