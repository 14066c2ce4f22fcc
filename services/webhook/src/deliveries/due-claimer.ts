import type { Delivery, Lease } from './delivery.ts';
import type { DeliveryQueue, DueHead, Stage } from './delivery-queue.ts';

/** Claims deliveries that are due. */
export interface DueClaimer<S extends Stage> {
  claim(stage: S): Promise<ClaimedDue>;
}

interface ClaimedDue {
  readonly claimed: readonly Delivery[];
  readonly lease: Lease;
  /** Webhooks with due deliveries found in this round, claimed or not. */
  readonly webhookIds: readonly string[];
  /** Whether the round has webhooks left. The next call continues it. */
  readonly hasMore: boolean;
  /** False if there was no capacity to claim any. */
  readonly hasSearched: boolean;
}

interface Dependencies<S extends Stage> {
  readonly queue: Pick<DeliveryQueue, 'findHeads' | 'findDue' | 'claim'>;
  /** The number of deliveries of a stage that may be claimed. */
  readonly capacity: (stage: S) => number;
  /** The number of deliveries of a webhook that may be claimed. `head` is the oldest due one. */
  readonly capacityOf: (head: DueHead, stage: S) => number;
  /** Half of the capacity is for healthy webhooks. */
  readonly isHealthy: (head: DueHead) => boolean;
  readonly newLease: (now: Date) => Lease;
  readonly clock: () => Date;
}

/** The search of all webhooks for one stage. */
interface Round {
  readonly ranges: WebhookRanges;
  /** Webhooks with due deliveries found so far. */
  webhookIds: readonly string[];
}

/** The number of webhooks with waiting deliveries in one search. It bounds the cost of a search. */
const RANGE_SIZE = 2_048;
/** Up to this number of webhooks, several deliveries of each are claimed. Above it, one of each. */
const FEW_WEBHOOKS = 16;

/** Each call searches some webhooks. A round of calls searches all, so a long backlog hides no other webhook. */
export function createDueClaimer<S extends Stage>(dependencies: Dependencies<S>): DueClaimer<S> {
  const { queue, capacity, capacityOf, isHealthy, newLease, clock } = dependencies;
  const rounds = new Map<S, Round>();
  /** Alternates, so that with capacity for one delivery both groups get every second one. */
  let isHealthyFirst = false;

  function roundOf(stage: S): Round {
    const round = rounds.get(stage) ?? { ranges: createWebhookRanges(RANGE_SIZE), webhookIds: [] };
    rounds.set(stage, round);
    return round;
  }

  async function findDue(head: DueHead, stage: S, now: Date): Promise<readonly string[]> {
    const limit = Math.min(capacityOf(head, stage), capacity(stage));
    // The capacity may have been used up during the search. MongoDB would treat a limit of 0 as no limit.
    return limit <= 0 ? [] : queue.findDue({ stage, webhookId: head.webhookId, now, limit });
  }

  /** Round robin by tenant, then by webhook. */
  async function chooseOf(heads: readonly DueHead[], stage: S, now: Date): Promise<readonly string[]> {
    const limit = capacity(stage);
    const tenants = byTenant(heads);
    if (heads.length > FEW_WEBHOOKS) {
      return roundRobin(
        tenants.map((own) => own.map(({ id }) => id)),
        limit,
      );
    }
    const found = tenants.map(async (own) =>
      roundRobin(await Promise.all(own.map((head) => findDue(head, stage, now))), limit),
    );
    return roundRobin(await Promise.all(found), limit);
  }

  async function choose(heads: readonly DueHead[], stage: S, now: Date): Promise<readonly string[]> {
    const { healthy = [], others = [] } = Object.groupBy(heads, (head) => (isHealthy(head) ? 'healthy' : 'others'));
    isHealthyFirst = !isHealthyFirst;
    const groups = isHealthyFirst ? [healthy, others] : [others, healthy];
    const chosen = await Promise.all(groups.map((group) => chooseOf(group, stage, now)));
    return roundRobin(chosen, capacity(stage));
  }

  return {
    async claim(stage) {
      const now = clock();
      const lease = newLease(now);
      if (capacity(stage) <= 0) return { claimed: [], lease, webhookIds: [], hasMore: false, hasSearched: false };
      const round = roundOf(stage);
      const { heads, waitingWebhookIds } = await queue.findHeads({ stage, now, range: round.ranges.current() });
      const hasMore = round.ranges.advance(waitingWebhookIds);
      const webhookIds = [...round.webhookIds, ...heads.map(({ webhookId }) => webhookId)];
      round.webhookIds = hasMore ? webhookIds : [];
      const available = heads.filter((head) => capacityOf(head, stage) > 0);
      const chosen = await choose(available, stage, now);
      const claimed = chosen.length === 0 ? [] : await queue.claim(chosen, { ...lease, now });
      return { claimed, lease, webhookIds, hasMore, hasSearched: true };
    },
  };
}

/** Groups the webhooks by tenant, sorted by their oldest due delivery. */
function byTenant(heads: readonly DueHead[]): readonly (readonly DueHead[])[] {
  const sorted = heads.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  return [...Map.groupBy(sorted, ({ tenantId }) => tenantId).values()];
}

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

/** A range of webhook ids. An undefined bound is open. */
export interface WebhookRange {
  /** Exclusive. */
  readonly after: string | undefined;
  /** Inclusive. */
  readonly upTo: string | undefined;
}

/** Splits the webhooks into ranges. A round searches all ranges, one after the other. */
interface WebhookRanges {
  current(): WebhookRange;
  /** Advances to the next range. @param foundIds ids of the current range @returns whether the round has more ranges */
  advance(foundIds: readonly string[]): boolean;
}

/** The first round has one range. Each later round splits the ids of the previous round into ranges of `size` ids. */
export function createWebhookRanges(size: number): WebhookRanges {
  let bounds: readonly string[] = [];
  let index = 0;
  let foundInRound: readonly string[] = [];

  return {
    current: () => ({ after: bounds[index - 1], upTo: bounds[index] }),

    advance(foundIds) {
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
