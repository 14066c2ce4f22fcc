import type { ClaimLease, NewLease } from '@survey/runtime/mongo/claim';
import type { AnswerResult } from './answers.ts';
import type { Delivery, Settlement, Step, WebhookKey } from './delivery.ts';

/** The oldest due delivery of a webhook, among those with the same next step. */
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

/** A delivery and the claim that this process has on it. */
export interface ClaimRef {
  readonly id: string;
  readonly claim: string;
}

/** Due deliveries of all tenants, shared by any number of processes. */
export interface DeliveryQueue {
  /**
   * Finds the webhooks of the range with a pending delivery, due or not. Of each, finds the oldest delivery, if it is
   * due. The cost depends on the number of these webhooks, not on the number of deliveries.
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
   * Stores the results of reading answers, except for deliveries whose lease was lost. Returns the ids of the
   * deliveries that can be sent; their lease ends at `until`.
   */
  storeAnswerResults(results: readonly AnswerResult[], lease: ClaimLease): Promise<ReadonlySet<string>>;
  /** Stores the result. Returns false if the lease was lost. You may call it again if it throws. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Releases claims. The deliveries are due at `dueAt`. Deliveries whose lease was lost are skipped. */
  release(claimed: readonly ClaimRef[], dueAt: Date): Promise<void>;
}

/** The result of one call of `claim`. */
interface ClaimedDue {
  readonly claimed: readonly Delivery[];
  readonly lease: ClaimLease;
  /** Webhooks for which this round has found due deliveries, claimed or not. */
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
  /** Whether the receiver is fast. Fast receivers and others get capacity in turn. */
  readonly isFast: (webhook: WebhookKey) => boolean;
  readonly newLease: (now: Date) => ClaimLease;
  readonly clock: () => Date;
}

/** The number of webhooks with pending deliveries in one search. It bounds the cost of a search. */
const RANGE_SIZE = 2_048;
/** Up to this number of webhooks, several deliveries of each are claimed. Above it, one of each, to save queries. */
const FEW_WEBHOOKS = 16;

/**
 * Searches the database for due deliveries, and claims them for this process: until the lease ends, no other process
 * sends them. All have the same next step: reading answers, a first attempt, or a retry. Each call searches one range
 * of webhooks. The calls of a round search all ranges, so a long backlog hides no other webhook.
 */
export function createDueClaimer(dependencies: Dependencies) {
  const { step, queue, capacity, capacityOf, isFast, newLease, clock } = dependencies;
  const ranges = createWebhookRanges(RANGE_SIZE);
  let dueInRound: readonly string[] = [];
  /** Alternates: with capacity for one delivery, fast receivers and others each get every second one. */
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
      const webhookIds = [...dueInRound, ...oldest.map(({ webhookId }) => webhookId)];
      dueInRound = hasMore ? webhookIds : [];
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
 * round has a bound at every `size`th id that the previous round found. A new webhook falls between two bounds.
 */
export function createWebhookRanges(size: number) {
  let bounds: readonly string[] = [];
  let index = 0;
  let pendingInRound: readonly string[] = [];

  return {
    current: (): WebhookRange => ({ after: bounds[index - 1], upTo: bounds[index] }),

    /** Advances to the next range. @param pendingIds found in the current range @returns whether the round has more */
    advance(pendingIds: readonly string[]): boolean {
      pendingInRound = [...pendingInRound, ...pendingIds.toSorted()];
      index += 1;
      if (index <= bounds.length) return true;
      bounds = pendingInRound.filter((_, position) => position % size === size - 1);
      pendingInRound = [];
      index = 0;
      return false;
    },
  };
}
