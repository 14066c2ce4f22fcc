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
  /** How many of a lane can be taken in all. */
  readonly roomIn: (lane: S) => number;
  readonly newLease: (now: Date) => Lease;
  readonly clock: () => Date;
}

/** Up to so many webhooks, more than the first one of each is taken at a time: they would be few. */
const FEW = 16;

export function createDueTaker<S extends Stage>(dependencies: Dependencies<S>): DueTaker<S> {
  const { queue, roomFor, roomIn, newLease, clock } = dependencies;

  /** Of the webhooks that there is room for, one each; tenants take turns. */
  async function choose(heads: readonly DueHead[], lane: S, now: Date): Promise<readonly string[]> {
    const limit = roomIn(lane);
    if (heads.length > FEW) return heads.slice(0, limit).map(({ id }) => id);
    const found = heads.map((head) =>
      queue.findDue({ lane, webhookId: head.webhookId, now, limit: Math.min(roomFor(head, lane), limit) }),
    );
    return (await Promise.all(found)).flat().slice(0, limit);
  }

  return {
    async take(lane) {
      const now = clock();
      const lease = newLease(now);
      if (roomIn(lane) <= 0) return { claimed: [], lease, webhookIds: [], hasLooked: false };
      const due = await queue.findHeads({ lane, now });
      const heads = inTurns(due.filter((head) => roomFor(head, lane) > 0));
      const chosen = await choose(heads, lane, now);
      const claimed = chosen.length === 0 ? [] : await queue.claim(chosen, { ...lease, now });
      return { claimed, lease, webhookIds: due.map(({ webhookId }) => webhookId), hasLooked: true };
    },
  };
}

/** The longest due of each tenant, then the second of each, and so on. */
function inTurns(heads: readonly DueHead[]): readonly DueHead[] {
  const sorted = heads.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  const tenants = [...Map.groupBy(sorted, ({ tenantId }) => tenantId).values()];
  const longest = tenants.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, turn) => tenants.flatMap((of) => of[turn] ?? [])).flat();
}
