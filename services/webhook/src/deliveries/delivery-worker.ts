import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createLoop, type StepResult, type Worker } from '@survey/runtime/flow/loop';
import type { ClaimLease } from '@survey/runtime/mongo/claim';
import type { Logger } from 'pino';
import type { AddAnswers } from './answers.ts';
import type { AttemptDelivery } from './attempt.ts';
import type { Delivery, SendStep, Settlement } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { type ClaimRef, createDueClaimer, type DeliveryQueue } from './due-claimer.ts';
import { outcomeOf, type ReceiverHealthRegistry } from './receiver-health.ts';
import type { Job, Scheduler } from './scheduler.ts';

/** Admits new deliveries before they are stored, to send them from memory. The rest is stored as due. */
export interface Admission {
  /** Resolves when there is capacity for new deliveries, or after a short wait. */
  ready(): Promise<void>;
  /** Reserves capacity. Store the reserved deliveries with the lease, then commit or abandon the reservation. */
  reserve(deliveries: readonly Delivery[]): Reservation;
}

/** Capacity for deliveries that are being stored as claimed by this process. */
interface Reservation {
  /** Deliveries with reserved capacity. */
  readonly ids: ReadonlySet<string>;
  readonly lease: ClaimLease;
  /** Sends the reserved deliveries that were stored. @param storedIds ids that this write inserted */
  commit(storedIds: ReadonlySet<string>): void;
  /** Releases the reservation and its claims. Call it if the write failed. */
  abandon(): void;
}

export interface DeliveryWorker extends Worker, Admission {
  /** Searches for due deliveries now. */
  wake(): void;
}

/** A delivery that this process has claimed. */
export interface DeliveryJob extends Job {
  readonly delivery: Delivery;
  readonly lease: ClaimLease;
}

interface Dependencies {
  readonly queue: DeliveryQueue;
  readonly scheduler: Scheduler<DeliveryJob>;
  readonly addAnswers: AddAnswers;
  readonly attemptDelivery: AttemptDelivery;
  readonly health: Pick<ReceiverHealthRegistry, 'record' | 'takeProbe'>;
  readonly metrics: Pick<DeliveryMetrics, 'leaseExpired'>;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Longer than the wait for a slot, the attempt and storing its result together. */
  readonly leaseMs: number;
  readonly log: Logger;
}

const POLL_MS = 250;
/** Longest pause while nothing is due. A pause is a tenth of the idle time, so retries are only a little late. */
const IDLE_POLL_MS = 5_000;
/** After a search without claims, the pause is at least this many times as long as the search. */
const IDLE_FACTOR = 4;
const ERROR_BACKOFF = { firstMs: 1_000, maxMs: 1_000 };
const TICK_MS = 50;
/** The longest pause between ticks while nothing waits or runs. */
const IDLE_TICK_MS = 60_000;
/** Maximum time from the claim to the attempt. After it, too little of the lease is left, so the claim is released. */
const MAX_START_MS = 10_000;
/** The most deliveries whose answers are read at the same time. */
const MAX_AWAITING = 100;
/** The longest wait of a consumer for capacity. */
const MAX_READY_MS = 500;
/** Time that running attempts have after `stop`. */
const GRACE_MS = 5_000;

/**
 * Sends deliveries: new ones as soon as they are stored, retries when due. The worker claims a delivery with a lease,
 * so that no other process sends it. The delivery then waits in memory until the scheduler gives it a slot: the right
 * to run one attempt. Answers are added before this wait, so that a slow response service delays no other delivery.
 * After the lease of a dead process, its deliveries are due again.
 */
export function createDeliveryWorker(dependencies: Dependencies): DeliveryWorker {
  const { queue, scheduler, addAnswers, attemptDelivery, health, metrics, clock, newId, leaseMs, log } = dependencies;
  const stops = createStopSignals();
  /** Running attempts, reads of answers and open reservations. */
  const pending = new Set<Promise<void>>();
  /** Claims to release with the next search. */
  let released: readonly ClaimRef[] = [];
  /** The last search: webhooks with due deliveries, and whether a step was skipped for lack of capacity. */
  let lastSearch = { webhookIds: new Set<string>(), isIncomplete: false };

  const leaseFrom = (now: Date): ClaimLease => ({ claim: newId(), until: new Date(now.getTime() + leaseMs) });
  const claiming = { queue, isFast: scheduler.isFast, leaseFrom, clock };
  const claimerToSend = (step: SendStep) =>
    createDueClaimer({
      ...claiming,
      step,
      capacity: () => scheduler.capacity(step),
      capacityOf: (oldest) => scheduler.capacityOf(oldest, step),
    });
  /** The number of deliveries whose answers are being read. */
  let awaiting = 0;
  const claimers = {
    fresh: claimerToSend('fresh'),
    retry: claimerToSend('retry'),
    answers: createDueClaimer({
      ...claiming,
      step: 'answers',
      capacity: () => Math.min(MAX_AWAITING - awaiting, scheduler.capacity('fresh')),
      capacityOf: scheduler.capacityForAnswers,
    }),
  };

  const settleWhileLeased = createSettleWhileLeased({ queue, clock, isStopped: stops.isStopped });

  /** Stores the result of an attempt. Without a stored result, the delivery may be sent twice. */
  async function settle(
    { delivery, lease }: Pick<DeliveryJob, 'delivery' | 'lease'>,
    settlement: Settlement,
  ): Promise<void> {
    const logFields = { delivery_id: delivery.id };
    try {
      if (await settleWhileLeased(delivery, lease, settlement)) return;
      metrics.leaseExpired();
      log.warn(logFields, 'the lease of a delivery ended before its result was stored');
    } catch (error) {
      log.error({ ...logFields, err: error }, 'cannot store the result of a delivery, it may be sent again');
    }
  }

  /** Whether a new delivery may be sent. An open circuit breaker admits one delivery at a time, as a probe. */
  async function maySendNew(delivery: Delivery): Promise<boolean> {
    try {
      return await health.takeProbe(delivery);
    } catch (error) {
      log.warn({ err: error, webhook_id: delivery.webhookId }, 'cannot read the probe state of the webhook');
      return false;
    }
  }

  /** Whether the lease may end before the attempt does, because the process was suspended or overloaded. */
  function isLate({ lease }: DeliveryJob): boolean {
    const lastStart = lease.until.getTime() - Math.max(0, leaseMs - MAX_START_MS);
    return clock().getTime() >= lastStart;
  }

  async function send(job: DeliveryJob): Promise<void> {
    const { delivery, step, lease } = job;
    if (isLate(job) || (step === 'fresh' && !(await maySendNew(delivery)))) return releaseClaims([job]);
    const wait = scheduler.waitOf(job);
    const result = await stops.run((stop) => attemptDelivery(delivery, { leaseUntil: lease.until, stop, wait }));
    if (result === undefined) return releaseClaims([job]);
    const { settlement, revision } = result;
    const outcome = outcomeOf(settlement);
    if (outcome !== undefined && revision !== undefined) {
      health.record({ ...delivery, revision }, outcome, settlement.attempt?.durationMs ?? 0);
    }
    // Without a reply, the concurrency of the webhook drops to 1. Its other waiting deliveries would only use memory.
    if (outcome === 'no_reply') releaseClaims(scheduler.remove(({ webhookId }) => webhookId === delivery.webhookId));
    await settle(job, settlement);
  }

  function start(job: DeliveryJob): void {
    const sending = send(job)
      .catch((error: unknown) => {
        log.error(
          { err: error, delivery_id: job.delivery.id },
          'cannot attempt a delivery, it is retried when its lease ends',
        );
      })
      .finally(() => {
        pending.delete(sending);
        scheduler.finish(job);
        claims.expectWork();
        startNext();
        if (lastSearch.isIncomplete || lastSearch.webhookIds.has(job.webhookId)) claims.wake();
      });
    pending.add(sending);
  }

  function startNext(): void {
    for (let job = scheduler.next(); job !== undefined; job = scheduler.next()) start(job);
  }

  function enqueue(deliveries: readonly Delivery[], step: SendStep, lease: ClaimLease): void {
    if (deliveries.length === 0) return;
    if (scheduler.isIdle()) ticks.wake();
    scheduler.enqueue(
      deliveries.map((delivery) => {
        const { tenantId, webhookId, body } = delivery;
        return { tenantId, webhookId, step, bytes: body.length, delivery, lease };
      }),
    );
    startNext();
  }

  function releaseClaims(jobs: readonly Pick<DeliveryJob, 'delivery' | 'lease'>[]): void {
    if (jobs.length === 0) return;
    released = [...released, ...jobs.flatMap(({ delivery, lease }) => claimedUnder(lease, [delivery]))];
    claims.wake();
  }

  async function writeReleased(): Promise<void> {
    const claimed = released;
    if (claimed.length === 0) return;
    released = [];
    try {
      await queue.release(claimed, clock());
    } catch (error) {
      released = [...released, ...claimed];
      throw error;
    }
  }

  async function claim(step: SendStep) {
    const found = await claimers[step].claim();
    enqueue(found.claimed, step, found.lease);
    return found;
  }

  /** Claims deliveries that wait for answers, and reads the answers in the background. */
  async function claimForAnswers() {
    const found = await claimers.answers.claim();
    for (const [tenantId, claimed] of Map.groupBy(found.claimed, (one) => one.tenantId)) {
      scheduler.hold(claimed);
      awaiting += claimed.length;
      const adding = queueWithAnswers(tenantId, claimed, found.lease).finally(() => {
        awaiting -= claimed.length;
        pending.delete(adding);
        claims.wake();
      });
      pending.add(adding);
    }
    return found;
  }

  /** Adds the answers to deliveries of one tenant, stores the results, and queues the deliveries that can be sent. */
  async function queueWithAnswers(tenantId: TenantId, claimed: readonly Delivery[], lease: ClaimLease): Promise<void> {
    try {
      const results = await addAnswers(tenantId, claimed);
      const renewed = { ...leaseFrom(clock()), claim: lease.claim };
      const storedIds = await queue.storeAnswerResults(results, renewed);
      scheduler.release(claimed);
      const ready = results.filter((one) => one.kind === 'ready').filter((one) => storedIds.has(one.delivery.id));
      for (const [step, group] of Map.groupBy(ready, (one) => one.step)) {
        const deliveries = group.map(({ delivery }) => delivery);
        if (claims.isStopped()) releaseClaims(deliveries.map((delivery) => ({ delivery, lease: renewed })));
        else enqueue(deliveries, step, renewed);
      }
      const failed = results.filter((one) => one.kind === 'failed');
      await Promise.all(failed.map(({ delivery, settlement }) => settle({ delivery, lease }, settlement)));
    } catch (error) {
      log.warn({ err: error, tenant_id: tenantId }, 'cannot add answers to deliveries');
      scheduler.release(claimed);
      // If the release fails too, the deliveries are retried when their leases end.
      await queue
        .release(claimedUnder(lease, claimed), new Date(clock().getTime() + ERROR_BACKOFF.firstMs))
        .catch(() => undefined);
    }
  }

  async function claimDue(): Promise<StepResult> {
    const startedAt = performance.now();
    await writeReleased();
    const toSend = [await claim('fresh'), await claim('retry')];
    const found = [...toSend, await claimForAnswers()];
    const webhookIds = new Set(found.flatMap((one) => one.webhookIds));
    // The end of an attempt continues only these two searches. The third search continues when answers have been read.
    lastSearch = { webhookIds, isIncomplete: toSend.some(({ hasSearched }) => !hasSearched) };
    const isClaimed = found.some(({ claimed }) => claimed.length > 0);
    const ms = performance.now() - startedAt;
    return {
      expectsWork: isClaimed || webhookIds.size > 0 || lastSearch.isIncomplete,
      pauseMs: isClaimed ? ms : IDLE_FACTOR * ms,
      skipsWait: isClaimed || found.some(({ hasMore }) => hasMore),
    };
  }

  async function tick(): Promise<StepResult> {
    releaseClaims(scheduler.tick());
    startNext();
    return { expectsWork: !scheduler.isIdle() };
  }

  const claims = createLoop({
    step: claimDue,
    everyMs: POLL_MS,
    idleEveryMs: IDLE_POLL_MS,
    backoff: ERROR_BACKOFF,
    failure: 'cannot claim deliveries',
    log,
  });

  const ticks = createLoop({
    step: tick,
    everyMs: TICK_MS,
    idleEveryMs: IDLE_TICK_MS,
    backoff: ERROR_BACKOFF,
    failure: 'cannot schedule deliveries',
    log,
  });

  /** Releases all claims, so that other processes do not wait for the end of the leases. */
  async function releaseAll(): Promise<void> {
    releaseClaims(scheduler.remove(() => true));
    await writeReleased().catch((error: unknown) => {
      log.warn({ err: error }, 'cannot release deliveries, they are retried when their leases end');
    });
  }

  return {
    start() {
      claims.start();
      ticks.start();
    },

    wake: claims.wake,

    async ready() {
      const end = performance.now() + MAX_READY_MS;
      while (scheduler.isFull() && performance.now() < end && !claims.isStopped()) await sleep(2);
    },

    reserve(deliveries) {
      const lease = leaseFrom(clock());
      const reserved = claims.isStopped() ? [] : scheduler.reserve(deliveries);
      // `stop` waits until the reservation ends.
      const { promise, resolve } = Promise.withResolvers<void>();
      pending.add(promise);
      const end = () => {
        scheduler.release(reserved);
        pending.delete(promise);
        resolve();
      };
      const abandon = () => {
        end();
        released = [...released, ...claimedUnder(lease, reserved)];
        claims.wake();
      };
      return {
        ids: new Set(reserved.map(({ id }) => id)),
        lease,
        commit(storedIds) {
          if (claims.isStopped()) return abandon();
          end();
          enqueue(
            reserved.filter(({ id }) => storedIds.has(id)),
            'fresh',
            lease,
          );
        },
        abandon,
      };
    },

    async stop() {
      await Promise.all([claims.stop(), ticks.stop()]);
      await releaseAll();
      await Promise.race([Promise.all(pending), sleep(GRACE_MS, undefined, { ref: false })]);
      stops.stop();
      await Promise.all(pending);
      await releaseAll();
    },
  };
}

const claimedUnder = ({ claim }: ClaimLease, deliveries: readonly Delivery[]): readonly ClaimRef[] =>
  deliveries.map(({ id }) => ({ id, claim }));

/** Stops all running attempts. Each has its own signal, because one signal with thousands of listeners is slow. */
interface StopSignals {
  /** Runs `work` with a signal that `stop` aborts. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Also aborts signals of later work. */
  stop(): void;
  isStopped(): boolean;
}

export function createStopSignals(): StopSignals {
  const running = new Set<AbortController>();
  let isStopped = false;

  return {
    async run(work) {
      const controller = new AbortController();
      if (isStopped) controller.abort();
      running.add(controller);
      try {
        return await work(controller.signal);
      } finally {
        running.delete(controller);
      }
    },

    stop() {
      isStopped = true;
      for (const controller of running) controller.abort();
    },

    isStopped: () => isStopped,
  };
}

interface SettleWhileLeasedDependencies {
  readonly queue: Pick<DeliveryQueue, 'settle'>;
  readonly clock: () => Date;
  /** Whether to give up after an error. */
  readonly isStopped: () => boolean;
}

/** Stores a result. Returns false if the lease was lost. Retries until the lease ends, then throws the last error. */
type SettleWhileLeased = (delivery: Delivery, lease: ClaimLease, settlement: Settlement) => Promise<boolean>;

/** Pause before a retry. */
const PAUSE_MS = 1_000;

export function createSettleWhileLeased({ queue, clock, isStopped }: SettleWhileLeasedDependencies): SettleWhileLeased {
  return async (delivery, lease, settlement) => {
    for (;;) {
      try {
        return await queue.settle(delivery, lease.claim, settlement);
      } catch (error) {
        if (clock() >= lease.until || isStopped()) throw error;
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
  };
}
