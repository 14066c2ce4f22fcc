import { setTimeout as sleep } from 'node:timers/promises';
import { createLoop, type Next } from '@survey/runtime/flow/loop';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Logger } from 'pino';
import type { TakeTurn } from './attempt.ts';
import type { Delivery, Settlement } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue, Lease } from './delivery-queue.ts';
import { createDueTaker } from './due-taker.ts';
import type { Intake } from './intake.ts';
import { type Lane, type Line, lineNames, type WebhookKey } from './lane.ts';
import type { Place, Places } from './places.ts';
import { createRooms } from './rooms.ts';
import { createWaitingLine } from './waiting-line.ts';
import { outcomeOf } from './webhook-standing.ts';
import type { WebhookStandings } from './webhook-standings.ts';

export interface DeliveryWorker extends Worker, Intake {
  /** Says that there are deliveries that are due, so that they need not wait for the next look. */
  wake(): void;
}

interface Dependencies {
  readonly queue: DeliveryQueue;
  readonly takeTurn: TakeTurn;
  readonly places: Places;
  readonly standings: WebhookStandings;
  readonly metrics: Pick<DeliveryMetrics, 'leaseLost'>;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Has to be longer than a turn takes, with what it waits for before and all that is around the attempt. */
  readonly leaseMs: number;
  readonly log: Logger;
}

/** A delivery that this process has: until its turn it waits in memory. */
interface Waiting extends WebhookKey {
  readonly delivery: Delivery;
  readonly lane: Lane;
  readonly lease: Lease;
  readonly since: number;
}

const POLL_MS = 250;
/** The longest pause while nothing is due. A retry begins late by at most a tenth of the time since its last attempt. */
const IDLE_POLL_MS = 5_000;
/** How much longer than a look that found nothing to take the pause after it is, at least. */
const IDLE_FOR = 4;
const PAUSE_AFTER_ERROR_MS = 1_000;
const SWEEP_MS = 50;
/** What has found no place by then is given back: others may have one, and its lease is for the attempt. */
const MAX_WAIT_MS = 5_000;
/** What has not begun by then after its claim is given back too: the rest of the lease is for the attempt. */
const MAX_BEGIN_MS = 10_000;
/** How long somebody with new deliveries waits for room. */
const MAX_READY_MS = 500;
/** How long running attempts may go on after `stop`. */
const GRACE_MS = 5_000;

/**
 * Has deliveries take their turns: new ones as they are stored, others as they become due. Waiting ones take no place,
 * and few that wait are held in memory. What a lost worker had comes back when its lease ends.
 */
export function createDeliveryWorker(dependencies: Dependencies): DeliveryWorker {
  const { queue, takeTurn, places, standings, metrics, clock, newId, leaseMs, log } = dependencies;
  const stop = new AbortController();
  const turns = new Set<Promise<void>>();
  const lines = {
    prompt: createWaitingLine<Waiting>(),
    unproven: createWaitingLine<Waiting>(),
    retry: createWaitingLine<Waiting>(),
  };
  let order: readonly Line[] = lineNames;
  let heldBytes = 0;
  const rooms = createRooms({ places, standings, lines, heldBytes: () => heldBytes, clock });
  /** Given back when the store can be reached again. */
  let unsettled: { readonly id: string; readonly claim: string }[] = [];
  /** Webhooks that had due ones when somebody looked: when one of theirs ends there is room for the next. */
  let due: ReadonlySet<string> = new Set();
  /** Whether nobody could look, because there was no room for anything. */
  let hasToLook = false;
  let sweeper: NodeJS.Timeout | undefined;

  const newLease = (now: Date): Lease => ({ claim: newId(), until: new Date(now.getTime() + leaseMs) });
  const taker = createDueTaker({
    queue,
    roomFor: rooms.forDue,
    isPrompt: (head) => rooms.lineFor(head, 'fresh') === 'prompt',
    roomIn: rooms.inLane,
    newLease,
    clock,
  });

  /** Tries again while the lease lasts: what was sent should not be sent twice because of us. */
  async function settle({ delivery, lease }: Waiting, settlement: Settlement): Promise<boolean> {
    for (;;) {
      try {
        return await queue.settle(delivery, lease.claim, settlement);
      } catch (error) {
        if (clock() >= lease.until || stop.signal.aborted) throw error;
        await sleep(PAUSE_AFTER_ERROR_MS, undefined, { ref: false });
      }
    }
  }

  async function mayProbe(delivery: Delivery): Promise<boolean> {
    try {
      return await standings.takeProbe(delivery);
    } catch (error) {
      log.warn({ err: error, webhook_id: delivery.webhookId }, 'nobody can tell whether a webhook is probed already');
      return false;
    }
  }

  /** Whether the lease may end before the turn does: this process has slept, or was held up. */
  function isLate({ lease }: Waiting): boolean {
    const lastBegin = lease.until.getTime() - Math.max(0, leaseMs - MAX_BEGIN_MS);
    return clock().getTime() >= lastBegin;
  }

  async function turn(waiting: Waiting): Promise<void> {
    const { delivery, lane, lease } = waiting;
    if (isLate(waiting)) return giveBack([waiting]);
    if (lane === 'fresh' && !(await mayProbe(delivery))) return giveBack([waiting]);
    const taken = await takeTurn(delivery, { leaseUntil: lease.until, stop: stop.signal });
    if (taken === undefined) return giveBack([waiting]);
    const { settlement, revision } = taken;
    const outcome = outcomeOf(settlement);
    if (outcome !== undefined && revision !== undefined) {
      standings.note({ ...delivery, revision }, outcome, settlement.attempt?.durationMs ?? 0);
    }
    // Those behind it would only wait in memory.
    if (outcome === 'no_answer') giveBackWaiting(({ webhookId }) => webhookId === delivery.webhookId);
    if (await settle(waiting, settlement)) return;
    metrics.leaseLost();
    log.warn({ delivery_id: delivery.id }, 'the lease of a delivery ended before its attempt');
  }

  function begin(waiting: Waiting, place: Place): void {
    const running = turn(waiting)
      .catch((error: unknown) => {
        log.error({ err: error, delivery_id: waiting.delivery.id }, 'a turn failed, it comes again after the lease');
      })
      .finally(() => {
        turns.delete(running);
        heldBytes -= waiting.delivery.body.length;
        loop.expectWork();
        place.end();
        pump();
        if (hasToLook || due.has(waiting.webhookId)) loop.wake();
      });
    turns.add(running);
  }

  function beginNext(line: Line): boolean {
    let place: Place | undefined;
    const waiting = lines[line].next((next) => {
      if (rooms.canBegin(next, next.lane)) place = places.take(next, next.lane);
      return place !== undefined;
    });
    if (waiting === undefined || place === undefined) return false;
    begin(waiting, place);
    return true;
  }

  /** Begins one of the line whose turn it is, of those that have one that may begin. Then it is the turn of the others. */
  function beginOne(from: readonly Line[]): boolean {
    const line = from.find(beginNext);
    if (line === undefined) return false;
    order = [...order.filter((other) => other !== line), line];
    return true;
  }

  /** Gives fast places to those that wait. They become free one by one: without turns one line would have all of them. */
  function pump(): void {
    while (beginOne(order.filter(places.hasFastFor)));
  }

  function giveBack(given: readonly Waiting[]): void {
    if (given.length === 0) return;
    unsettled.push(...given.map(({ delivery, lease }) => ({ id: delivery.id, claim: lease.claim })));
    loop.wake();
  }

  function giveBackWaiting(which: (waiting: Waiting) => boolean): void {
    const given = lineNames.flatMap((line) => lines[line].removeWhere(which));
    for (const { delivery } of given) heldBytes -= delivery.body.length;
    giveBack(given);
  }

  async function handBack(): Promise<void> {
    const given = unsettled;
    if (given.length === 0) return;
    unsettled = [];
    try {
      await queue.handBack(given, clock());
    } catch (error) {
      unsettled.push(...given);
      throw error;
    }
  }

  function enqueue(deliveries: readonly Delivery[], lane: Lane, lease: Lease): void {
    const since = performance.now();
    if (deliveries.length > 0) sweeper ??= setInterval(sweep, SWEEP_MS);
    for (const delivery of deliveries) {
      heldBytes += delivery.body.length;
      const { tenantId, webhookId } = delivery;
      lines[rooms.lineFor(delivery, lane)].push({ tenantId, webhookId, delivery, lane, lease, since });
    }
    pump();
  }

  /** False when nothing was taken. */
  async function takeDue(): Promise<boolean> {
    await handBack();
    const taken = [await takeLane('fresh'), await takeLane('retry')];
    due = new Set(taken.flatMap(({ webhookIds }) => webhookIds));
    hasToLook = taken.some(({ hasLooked }) => !hasLooked);
    return taken.some(({ claimed }) => claimed.length > 0);
  }

  async function takeLane(lane: Lane): ReturnType<typeof taker.take> {
    const taken = await taker.take(lane);
    enqueue(taken.claimed, lane, taken.lease);
    return taken;
  }

  async function step(): Promise<Next> {
    const start = performance.now();
    const isTaken = await takeDue();
    const ms = performance.now() - start;
    return {
      foundWork: isTaken || due.size > 0 || hasToLook,
      pauseMs: isTaken ? ms : IDLE_FOR * ms,
      again: isTaken,
    };
  }

  const loop = createLoop({
    step,
    everyMs: POLL_MS,
    idleEveryMs: IDLE_POLL_MS,
    backoff: { firstMs: PAUSE_AFTER_ERROR_MS, maxMs: PAUSE_AFTER_ERROR_MS },
    failure: 'cannot claim deliveries',
    log,
  });

  function sweep(): void {
    places.sweep();
    const before = performance.now() - MAX_WAIT_MS;
    giveBackWaiting(({ since }) => since < before);
    pump();
    // Those that have no need of a fast place.
    while (beginOne(order));
    // Every delivery has a body, so nothing waits and nothing runs.
    if (heldBytes === 0) stopSweeping();
  }

  function stopSweeping(): void {
    clearInterval(sweeper);
    sweeper = undefined;
  }

  /** At the end others should not have to wait for the lease. */
  async function handBackAll(): Promise<void> {
    giveBackWaiting(() => true);
    await handBack().catch((error: unknown) => {
      log.warn({ err: error }, 'deliveries were not given back, they come again after the lease');
    });
  }

  return {
    start: loop.start,

    wake: loop.wake,

    async ready() {
      const end = performance.now() + MAX_READY_MS;
      while (rooms.isFull() && performance.now() < end && !loop.isStopped()) await sleep(2);
    },

    reserve(deliveries) {
      const lease = newLease(clock());
      const reserved = loop.isStopped() ? [] : rooms.reserve(deliveries);
      const ids = new Set(reserved.map(({ id }) => id));
      // Who stops waits for what becomes of them, as for what runs.
      const over = Promise.withResolvers<void>();
      turns.add(over.promise);
      const release = () => {
        rooms.release(reserved);
        turns.delete(over.promise);
        over.resolve();
      };
      const giveUp = () => {
        release();
        unsettled.push(...reserved.map(({ id }) => ({ id, claim: lease.claim })));
        loop.wake();
      };
      return {
        ids,
        lease,
        begin(storedIds) {
          if (loop.isStopped()) return giveUp();
          release();
          const mine = reserved.filter(({ id }) => storedIds.has(id));
          enqueue(mine, 'fresh', lease);
        },
        giveUp,
      };
    },

    async stop() {
      await loop.stop();
      stopSweeping();
      await handBackAll();
      await Promise.race([Promise.all(turns), sleep(GRACE_MS, undefined, { ref: false })]);
      stop.abort();
      await Promise.all(turns);
      await handBackAll();
    },
  };
}
