import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@survey/runtime/service/service-app';
import { createWaiter } from '@survey/runtime/service/waiter';
import type { Logger } from 'pino';
import type { TakeTurn } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue, DueDelivery } from './delivery-queue.ts';

export interface DeliveryWorker extends Worker {
  /** Says that there are new deliveries, so that they need not wait for the next look. */
  nudge(): void;
}

const MAX_ATTEMPTS = 64;
const MAX_ATTEMPTS_PER_WEBHOOK = 4;
/** How many due ones are looked at for each that can be taken: they may be of webhooks that are busy. */
const LOOK_AHEAD = 4;
const POLL_MS = 250;
const PAUSE_AFTER_ERROR_MS = 1_000;
/** How long running attempts may go on after `stop`. */
const GRACE_MS = 5_000;

interface Dependencies {
  readonly queue: DeliveryQueue;
  readonly takeTurn: TakeTurn;
  readonly metrics: DeliveryMetrics;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Has to be longer than a turn takes, with all that is around the attempt. */
  readonly leaseMs: number;
  readonly log: Logger;
}

/**
 * Takes due deliveries and gives each its turn, some at a time in all and fewer for each webhook. Waiting deliveries
 * take no place. What a lost worker had comes back when its lease ends.
 */
export function createDeliveryWorker(dependencies: Dependencies): DeliveryWorker {
  const { queue, takeTurn, metrics, clock, newId, leaseMs, log } = dependencies;
  const waiter = createWaiter();
  const stop = new AbortController();
  const turns = new Set<Promise<void>>();
  const busy = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();

  async function turn(delivery: Delivery, claim: string): Promise<void> {
    const settlement = await takeTurn(delivery, stop.signal);
    if (settlement === undefined) return queue.handBack(delivery, claim, clock());
    if (await queue.settle(delivery, claim, settlement)) return;
    metrics.leaseLost();
    log.warn({ delivery_id: delivery.id }, 'the lease of a delivery ended before its attempt');
  }

  function begin(delivery: Delivery, claim: string): void {
    const { id, webhookId } = delivery;
    busy.set(webhookId, (busy.get(webhookId) ?? 0) + 1);
    const running = turn(delivery, claim)
      .catch((error) => log.error({ err: error, delivery_id: id }, 'a turn failed, it comes again after the lease'))
      .finally(() => {
        turns.delete(running);
        const left = (busy.get(webhookId) ?? 0) - 1;
        if (left > 0) busy.set(webhookId, left);
        else busy.delete(webhookId);
        waiter.nudge();
      });
    turns.add(running);
  }

  /** Those of the due ones that there is a place for. */
  function choose(due: readonly DueDelivery[], places: number): readonly string[] {
    const chosen: string[] = [];
    const planned = new Map(busy);
    for (const { id, webhookId } of due) {
      const used = planned.get(webhookId) ?? 0;
      if (chosen.length === places || used >= MAX_ATTEMPTS_PER_WEBHOOK) continue;
      planned.set(webhookId, used + 1);
      chosen.push(id);
    }
    return chosen;
  }

  async function takeDue(): Promise<void> {
    for (;;) {
      const places = MAX_ATTEMPTS - turns.size;
      if (places === 0 || waiter.isStopped()) return;
      const except = [...busy].flatMap(([id, count]) => (count >= MAX_ATTEMPTS_PER_WEBHOOK ? [id] : []));
      const now = clock();
      const chosen = choose(await queue.findDue({ now, except, limit: places * LOOK_AHEAD }), places);
      if (chosen.length === 0) return;
      const claim = newId();
      const until = new Date(now.getTime() + leaseMs);
      for (const delivery of await queue.claim(chosen, { claim, now, until })) begin(delivery, claim);
    }
  }

  async function run(): Promise<void> {
    while (!waiter.isStopped()) {
      try {
        await takeDue();
        await waiter.forWork(POLL_MS);
      } catch (error) {
        log.error({ err: error }, 'deliveries could not be taken, trying again');
        await waiter.pause(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  return {
    start() {
      running = run();
    },
    nudge: waiter.nudge,
    async stop() {
      waiter.stop();
      await running;
      await Promise.race([Promise.all(turns), sleep(GRACE_MS, undefined, { ref: false })]);
      stop.abort();
      await Promise.all(turns);
    },
  };
}
