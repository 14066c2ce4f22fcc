import type { ClaimLease, NewLease } from '@survey/runtime/mongo/claim';
import type { AnswerResult } from './answers.ts';
import type { Delivery, Settlement, Step, WebhookKey } from './delivery.ts';

/** The oldest due delivery of a webhook, among deliveries with the same next step. */
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
   * Finds the webhooks of the range with a pending delivery, due or not, and the oldest delivery of each if it is due.
   * The cost depends on the number of these webhooks, not of their deliveries.
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
  /** Stores the results of adding answers, unless a lease was lost. Returns the ids of deliveries to send. */
  storeAnswerResults(results: readonly AnswerResult[], lease: ClaimLease): Promise<ReadonlySet<string>>;
  /** Stores the result. Returns false if the lease was lost. Can be called again after an error. */
  settle(delivery: Delivery, claim: string, settlement: Settlement): Promise<boolean>;
  /** Releases claims, and makes the deliveries due at `dueAt`. Skips deliveries whose lease was lost. */
  release(claimed: readonly ClaimRef[], dueAt: Date): Promise<void>;
}

/** The result of one call of `claim`. */
interface ClaimedDue {
  readonly claimed: readonly Delivery[];
  readonly lease: ClaimLease;
  /** Webhooks for which this round has found due deliveries, claimed or not. */
  readonly webhookIds: readonly string[];
  /** Whether this round has more webhooks to search. The next call continues the round. */
  readonly hasMore: boolean;
  /** False if there was no capacity, so nothing was searched. */
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
  /** Whether the receiver is fast. Fast and other receivers get capacity in turn. */
  readonly isFast: (webhook: WebhookKey) => boolean;
  readonly leaseFrom: (now: Date) => ClaimLease;
  readonly clock: () => Date;
}

/** Number of webhooks in one search. Bounds the cost of a search. */
const RANGE_SIZE = 2_048;
/** For at most this many webhooks, several deliveries of each are claimed. For more, one of each, to save queries. */
const FEW_WEBHOOKS = 16;

/**
 * Claims due deliveries with the same next step for this process. Each call searches one range of webhooks, and the
 * calls of a round search all ranges. So a long backlog hides no other webhook.
 */
export function createDueClaimer(dependencies: Dependencies) {
  const { step, queue, capacity, capacityOf, isFast, leaseFrom, clock } = dependencies;
  const ranges = createWebhookRanges(RANGE_SIZE);
  let dueInRound: readonly string[] = [];
  /** Alternates, so that both groups get deliveries even if there is capacity for only one at a time. */
  let isFastFirst = false;

  async function findDue(oldest: OldestDue, now: Date): Promise<readonly string[]> {
    const limit = Math.min(capacityOf(oldest), capacity());
    // The capacity may have been used up during the search. MongoDB would treat a limit of 0 as no limit.
    return limit <= 0 ? [] : queue.findDue({ step, webhookId: oldest.webhookId, now, limit });
  }

  /** Chooses round robin by tenant, then by webhook. */
  async function chooseInGroup(oldest: readonly OldestDue[], now: Date): Promise<readonly string[]> {
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
    return roundRobin(await Promise.all(groups.map((group) => chooseInGroup(group, now))), capacity());
  }

  return {
    /** Searches the next range, and claims due deliveries in it. */
    async claim(): Promise<ClaimedDue> {
      const now = clock();
      const lease = leaseFrom(now);
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
 * Splits the webhooks into ranges for the searches of a round. Bounds are at every `size`th id that the previous round
 * found, so the first round has one range. Ranges have no gaps, so they include new webhooks.
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
