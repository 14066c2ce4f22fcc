import type { Delivery } from './delivery.ts';
import type { DeliveryQueue, DueHead, Lease } from './delivery-queue.ts';
import type { Stage } from './lane.ts';

/** Takes deliveries that are due from the store. */
export interface DueTaker<S extends Stage> {
  take(lane: S): Promise<Taken>;
}

interface Taken {
  readonly claimed: readonly Delivery[];
  readonly lease: Lease;
  /** Those that something was due of, taken or not. */
  readonly webhookIds: readonly string[];
  /** False when there was no room at all. */
  readonly hasLooked: boolean;
}

interface Dependencies<S extends Stage> {
  readonly queue: Pick<DeliveryQueue, 'findHeads' | 'findDue' | 'claim'>;
  /** How many of a webhook can be taken, the longest due of which is this one. */
  readonly roomFor: (head: DueHead, lane: S) => number;
  /** Whether it answered in time last: then it has every second turn, whatever is due of others. */
  readonly isPrompt: (head: DueHead) => boolean;
  /** How many of a lane can be taken in all. */
  readonly roomIn: (lane: S) => number;
  readonly newLease: (now: Date) => Lease;
  readonly clock: () => Date;
}

/** Up to so many webhooks, more than the first one of each is taken at a time: they would be few. */
const FEW = 16;

export function createDueTaker<S extends Stage>(dependencies: Dependencies<S>): DueTaker<S> {
  const { queue, roomFor, isPrompt, roomIn, newLease, clock } = dependencies;
  /** By turns, for when there is room for one alone. */
  let isPromptFirst = false;

  function findDue(head: DueHead, lane: S, now: Date): Promise<readonly string[]> {
    const limit = Math.min(roomFor(head, lane), roomIn(lane));
    return queue.findDue({ lane, webhookId: head.webhookId, now, limit });
  }

  /** Tenants take turns, and so do the webhooks of each. */
  async function chooseOf(heads: readonly DueHead[], lane: S, now: Date): Promise<readonly string[]> {
    const limit = roomIn(lane);
    const find = heads.length > FEW ? async ({ id }: DueHead) => [id] : (head: DueHead) => findDue(head, lane, now);
    const found = byTenant(heads).map(async (own) => inTurns(await Promise.all(own.map(find)), limit));
    return inTurns(await Promise.all(found), limit);
  }

  /** Of the webhooks that there is room for. */
  async function choose(heads: readonly DueHead[], lane: S, now: Date): Promise<readonly string[]> {
    const { prompt = [], others = [] } = Object.groupBy(heads, (head) => (isPrompt(head) ? 'prompt' : 'others'));
    isPromptFirst = !isPromptFirst;
    const groups = isPromptFirst ? [prompt, others] : [others, prompt];
    const chosen = await Promise.all(groups.map((some) => chooseOf(some, lane, now)));
    return inTurns(chosen, roomIn(lane));
  }

  return {
    async take(lane) {
      const now = clock();
      const lease = newLease(now);
      if (roomIn(lane) <= 0) return { claimed: [], lease, webhookIds: [], hasLooked: false };
      const due = await queue.findHeads({ lane, now });
      const heads = due.filter((head) => roomFor(head, lane) > 0);
      const chosen = await choose(heads, lane, now);
      const claimed = chosen.length === 0 ? [] : await queue.claim(chosen, { ...lease, now });
      return { claimed, lease, webhookIds: due.map(({ webhookId }) => webhookId), hasLooked: true };
    },
  };
}

/** Of each tenant its webhooks, the longest due first, and so are the tenants. */
function byTenant(heads: readonly DueHead[]): readonly (readonly DueHead[])[] {
  const sorted = heads.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  return [...Map.groupBy(sorted, ({ tenantId }) => tenantId).values()];
}

/** The first of each, then the second of each, and so on, up to the limit. */
function inTurns<T>(lines: readonly (readonly T[])[], limit: number): readonly T[] {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  const turns = Array.from({ length: Math.min(longest, limit) }, (_, turn) =>
    lines.flatMap((line) => line.slice(turn, turn + 1)),
  );
  return turns.flat().slice(0, limit);
}
