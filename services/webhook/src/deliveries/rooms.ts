import type { Delivery } from './delivery.ts';
import type { DueHead } from './delivery-queue.ts';
import type { Lane, WebhookKey } from './lane.ts';
import type { Places } from './places.ts';
import type { WaitingLine } from './waiting-line.ts';
import type { Standing } from './webhook-standing.ts';
import type { WebhookStandings } from './webhook-standings.ts';

/** How much a process takes on: more than it has places for, so that one that is free is taken again at once. */
export interface Rooms {
  /** Keeps room for those of new deliveries that there is room for, and gives them. */
  reserve(deliveries: readonly Delivery[]): readonly Delivery[];
  /** Frees the room that was kept. */
  release(reserved: readonly Delivery[]): void;
  /** How many due ones of a webhook there is room for, the longest due of which is this one. */
  forDue(head: DueHead, lane: Lane): number;
  /** How many due ones there is room for. */
  inLane(lane: Lane): number;
  /** Whether one of this webhook may begin now, as far as the webhook is concerned. */
  canBegin(webhook: WebhookKey, lane: Lane): boolean;
  /** Whether there is no room for new ones of anybody. */
  isFull(): boolean;
}

interface Dependencies {
  readonly places: Pick<Places, 'running'>;
  readonly standings: Pick<WebhookStandings, 'of'>;
  readonly lines: Readonly<Record<Lane, Pick<WaitingLine<WebhookKey>, 'size' | 'sizeOf'>>>;
  /** Bytes of the bodies of all that the process has. */
  readonly heldBytes: () => number;
  readonly clock: () => Date;
}

/** New ones that wait in memory. */
const MAX_NEW = 1_024;
/** Due ones that wait in memory, of each lane; not taken up by new ones. */
const MAX_DUE = 128;
/** Those of one webhook that wait in memory, while it does not fail. */
const MAX_WAITING = 16;
/** Bodies are large now and then. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Longer than this nothing waits for a breaker. */
const MAX_HELD_MS = 600_000;

export function createRooms({ places, standings, lines, heldBytes, clock }: Dependencies): Rooms {
  const reserved = new Map<string, number>();
  let reservedSize = 0;

  function reserveOne(webhookId: string, by: 1 | -1): void {
    const count = (reserved.get(webhookId) ?? 0) + by;
    reservedSize += by;
    if (count === 0) reserved.delete(webhookId);
    else reserved.set(webhookId, count);
  }

  /** What the process has of a webhook. */
  function used(webhookId: string): number {
    const waiting = lines.fresh.sizeOf(webhookId) + lines.retry.sizeOf(webhookId);
    return places.running(webhookId, 'fresh').all + waiting + (reserved.get(webhookId) ?? 0);
  }

  /** `heldSince` is since when one that is new has waited. */
  function roomFor(webhookId: string, lane: Lane, heldSince: number): number {
    const { limit, isSlow, points, breaker } = standings.of(webhookId);
    const now = clock().getTime();
    if (breaker !== undefined) {
      const isHeld = lane === 'fresh' && now < breaker.until && heldSince > now - MAX_HELD_MS;
      return isHeld || used(webhookId) > 0 ? 0 : 1;
    }
    const waiting = isSlow || points > 0 ? 0 : MAX_WAITING;
    return Math.max(0, limit + waiting - used(webhookId));
  }

  const isFull = () => lines.fresh.size() + reservedSize >= MAX_NEW || heldBytes() > MAX_BYTES;

  return {
    reserve: (deliveries) =>
      deliveries.filter(({ webhookId }) => {
        if (isFull() || roomFor(webhookId, 'fresh', Number.POSITIVE_INFINITY) === 0) return false;
        reserveOne(webhookId, 1);
        return true;
      }),

    release(deliveries) {
      for (const { webhookId } of deliveries) reserveOne(webhookId, -1);
    },

    forDue: ({ webhookId, dueAt }, lane) => roomFor(webhookId, lane, dueAt.getTime()),

    inLane(lane) {
      if (heldBytes() > MAX_BYTES) return 0;
      const most = lane === 'fresh' ? MAX_NEW + MAX_DUE : MAX_DUE;
      return Math.min(MAX_DUE, most - lines[lane].size());
    },

    canBegin: ({ webhookId }, lane) => mayBegin(standings.of(webhookId), places.running(webhookId, lane), lane),

    isFull,
  };
}

/** Whether one more of a webhook may begin beside those that run, as far as the webhook is concerned. */
export function mayBegin({ limit }: Standing, running: ReturnType<Places['running']>, lane: Lane): boolean {
  if (running.all >= limit) return false;
  // Retries leave room for what is new.
  return lane === 'fresh' || running.lane < Math.max(1, Math.floor(limit / 2));
}
