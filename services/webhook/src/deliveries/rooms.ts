import { createCounts } from './counts.ts';
import type { Delivery } from './delivery.ts';
import type { DueHead } from './delivery-queue.ts';
import { type Lane, type Line, lineNames, type WebhookKey } from './lane.ts';
import type { Places } from './places.ts';
import type { WaitingLine } from './waiting-line.ts';
import type { Standing } from './webhook-standing.ts';
import type { WebhookStandings } from './webhook-standings.ts';

/** How much a process takes on: more than it has places for, so that one that is free is taken again at once. */
export interface Rooms {
  /** Keeps room for those of new deliveries that there is room for, and gives them. */
  reserve(deliveries: readonly Delivery[]): readonly Delivery[];
  /** Frees the room that was kept for these, each once. */
  release(reserved: readonly Delivery[]): void;
  /** How many due ones of a webhook there is room for, the longest due of which is this one. */
  forDue(head: DueHead, lane: Lane): number;
  /** How many due ones there is room for. */
  inLane(lane: Lane): number;
  /** Where one that there is room for waits for its turn. */
  lineFor(webhook: WebhookKey, lane: Lane): Line;
  /** Whether one of this webhook may begin now, as far as the webhook is concerned. */
  canBegin(webhook: WebhookKey, lane: Lane): boolean;
  /** Whether there is no room for new ones of anybody. */
  isFull(): boolean;
}

interface Dependencies {
  readonly places: Pick<Places, 'running'>;
  readonly standings: Pick<WebhookStandings, 'of'>;
  readonly lines: Readonly<Record<Line, Pick<WaitingLine<WebhookKey>, 'size' | 'sizeOf' | 'sizeOfTenant'>>>;
  /** Bytes of the bodies of all that the process has. */
  readonly heldBytes: () => number;
  readonly clock: () => Date;
}

/** New ones that wait in memory. */
const MAX_NEW = 1_024;
/** Of one tenant, and of all that may turn out to take long: half is left to others. */
const NEW_SHARE = MAX_NEW / 2;
/** Due ones that wait in memory, of each lane; not taken up by new ones. */
const MAX_DUE = 128;
/** Those of one webhook that wait in memory, while it answers in time and does not fail. */
const MAX_WAITING = 16;
/** Bodies are large now and then. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Longer than this nothing waits for a breaker. */
const MAX_HELD_MS = 600_000;

export function createRooms({ places, standings, lines, heldBytes, clock }: Dependencies): Rooms {
  /** What room was kept for, and the line that it was kept in. */
  const reserved = new Map<Delivery, Line>();
  /** How many these are of each webhook, tenant and line. */
  const counts = createCounts();

  function count({ tenantId, webhookId }: Delivery, line: Line, by: 1 | -1): void {
    for (const key of [`tenant ${tenantId}`, `webhook ${webhookId}`, `line ${line}`]) counts.add(key, by);
  }

  function lineFor({ webhookId }: WebhookKey, lane: Lane): Line {
    if (lane === 'retry') return 'retry';
    return standings.of(webhookId).pace === 'prompt' ? 'prompt' : 'unproven';
  }

  const sizeOf = (line: Line) => lines[line].size() + counts.of(`line ${line}`);
  const waitingOfTenant = (tenantId: string) =>
    lineNames.reduce((sum, line) => sum + lines[line].sizeOfTenant(tenantId), counts.of(`tenant ${tenantId}`));

  /** What the process has of a webhook. */
  function used(webhookId: string): number {
    const waiting = lineNames.reduce((sum, line) => sum + lines[line].sizeOf(webhookId), 0);
    return places.running(webhookId, 'fresh').all + waiting + counts.of(`webhook ${webhookId}`);
  }

  /** `heldSince` is since when one that is new has waited. */
  function roomFor(webhookId: string, lane: Lane, heldSince: number): number {
    const { limit, pace, points, breaker } = standings.of(webhookId);
    const now = clock().getTime();
    if (breaker !== undefined) {
      const isHeld = lane === 'fresh' && now < breaker.until && heldSince > now - MAX_HELD_MS;
      return isHeld || used(webhookId) > 0 ? 0 : 1;
    }
    const waiting = pace === 'prompt' && points === 0 ? MAX_WAITING : 0;
    return Math.max(0, limit + waiting - used(webhookId));
  }

  const isFull = () => sizeOf('prompt') + sizeOf('unproven') >= MAX_NEW || heldBytes() > MAX_BYTES;

  function hasShare(webhook: WebhookKey, more: number): boolean {
    const share = NEW_SHARE + more;
    if (waitingOfTenant(webhook.tenantId) >= share) return false;
    return lineFor(webhook, 'fresh') === 'prompt' || sizeOf('unproven') < share;
  }

  return {
    reserve: (deliveries) =>
      deliveries.filter((delivery) => {
        const { webhookId } = delivery;
        if (isFull() || !hasShare(delivery, 0)) return false;
        if (roomFor(webhookId, 'fresh', Number.POSITIVE_INFINITY) === 0) return false;
        const line = lineFor(delivery, 'fresh');
        reserved.set(delivery, line);
        count(delivery, line, 1);
        return true;
      }),

    release(deliveries) {
      for (const delivery of deliveries) {
        const line = reserved.get(delivery);
        if (line === undefined) continue;
        reserved.delete(delivery);
        count(delivery, line, -1);
      }
    },

    forDue(head, lane) {
      if (lane === 'fresh' && !hasShare(head, MAX_DUE / 2)) return 0;
      return roomFor(head.webhookId, lane, head.dueAt.getTime());
    },

    inLane(lane) {
      if (heldBytes() > MAX_BYTES) return 0;
      if (lane === 'retry') return MAX_DUE - lines.retry.size();
      return Math.min(MAX_DUE, MAX_NEW + MAX_DUE - lines.prompt.size() - lines.unproven.size());
    },

    lineFor,

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
