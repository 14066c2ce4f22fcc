import { startAtZero } from '@survey/runtime/telemetry/metrics';
import { type Backlog, measureBacklog, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter, Gauge, Histogram } from 'prom-client';
import { attemptFailures } from '../sending/attempt-error.ts';
import { type ConnectionUse, connectionUses } from '../sending/http-sender.ts';
import { type Step, steps } from './delivery.ts';
import type { DeliveryQueue, OldestDue } from './due-claimer.ts';
import type { ReceiverHealthRegistry } from './receiver-health.ts';
import { mayStart, type Scheduler } from './scheduler.ts';
import type { WebhookBatches } from './webhook-state-store.ts';

/** The end of an attempt: with a 2xx status, with another status, or without a reply. */
const attemptOutcomes = ['delivered', 'bad_status', ...attemptFailures] as const;
type AttemptOutcome = (typeof attemptOutcomes)[number];

const deliveryOutcomes = ['delivered', 'failed'] as const;

/** Deliveries that wait for a worker. Deliveries that wait for their receiver are not counted. */
interface DeliveryBacklog {
  measure(now: Date): Promise<Backlog>;
}

export interface DeliveryMetrics {
  attempted(outcome: AttemptOutcome): void;
  /** A delivery that no user triggered has ended. @param seconds since the event */
  ended(outcome: (typeof deliveryOutcomes)[number], seconds: number): void;
  /** The lease ended before the result was stored, so the delivery may be sent twice. */
  leaseExpired(): void;
  /** Events were consumed again, and their deliveries existed. */
  duplicatesSuppressed(count: number): void;
  connected(use: ConnectionUse): void;
  /** Adds gauges for the running attempts and the circuit breakers of this process. */
  addGauges(parts: {
    readonly scheduler: Pick<Scheduler<never>, 'countRunning'>;
    readonly health: Pick<ReceiverHealthRegistry, 'count'>;
  }): void;
}

export function createDeliveryMetrics({
  backlog,
  clock,
  ...reporting
}: Reporting & {
  readonly backlog: DeliveryBacklog;
  readonly clock: () => Date;
}): DeliveryMetrics {
  const registers = [reporting.registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts by outcome.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const delay = new Histogram({
    name: 'webhook_delivery_delay_seconds',
    help: 'Time from an event to the last attempt of its delivery, by outcome. Tests, redeliveries and replays are not counted.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3600],
    aggregator: 'sum',
    registers,
  });
  const expiredLeases = new Counter({
    name: 'webhook_leases_lost_total',
    help: 'Results that were not stored, because the lease of the delivery had ended.',
    aggregator: 'sum',
    registers,
  });
  const duplicates = new Counter({
    name: 'webhook_duplicates_suppressed_total',
    help: 'Deliveries that existed when their event was consumed again.',
    aggregator: 'sum',
    registers,
  });
  const connections = new Counter({
    name: 'webhook_connections_total',
    help: 'Attempts by connection: new, kept from an earlier attempt, or replaced because the kept one was closed.',
    labelNames: ['use'],
    aggregator: 'sum',
    registers,
  });
  startAtZero(attempts, { outcome: attemptOutcomes });
  for (const outcome of deliveryOutcomes) delay.zero({ outcome });
  startAtZero(connections, { use: connectionUses });
  measureBacklog({
    measure: () => backlog.measure(clock()),
    count: {
      name: 'webhook_deliveries_due',
      help: 'Due deliveries that wait for a worker, up to 100,000. Deliveries that wait for a failing or slow receiver are not counted',
    },
    oldest: {
      name: 'webhook_oldest_due_seconds',
      help: 'Age of the oldest due delivery that waits for a worker. Deliveries that wait for a failing or slow receiver are not counted',
    },
    ...reporting,
  });
  return {
    attempted: (outcome) => attempts.inc({ outcome }),
    ended: (outcome, seconds) => delay.observe({ outcome }, seconds),
    leaseExpired: () => expiredLeases.inc(),
    duplicatesSuppressed: (count) => duplicates.inc(count),
    connected: (use) => connections.inc({ use }),
    addGauges({ scheduler, health }) {
      new Gauge({
        name: 'webhook_attempts_running',
        help: 'Running attempts: of new deliveries, of retries, and slow ones of both.',
        labelNames: ['lane'],
        aggregator: 'sum',
        registers,
        collect() {
          for (const [lane, count] of Object.entries(scheduler.countRunning())) this.set({ lane }, count);
        },
      });
      new Gauge({
        name: 'webhook_breakers',
        help: 'Circuit breakers of webhooks that are open or half open, as each replica knows them.',
        labelNames: ['state'],
        aggregator: 'max',
        registers,
        collect() {
          const { open, halfOpen } = health.count();
          this.set({ state: 'open' }, open);
          this.set({ state: 'half_open' }, halfOpen);
        },
      });
    },
  };
}

/** The due deliveries of a webhook with the same next step. */
interface WebhookStep {
  readonly webhookId: string;
  readonly step: Step;
}

export interface BacklogStore extends Pick<DeliveryQueue, 'findOldestDue'> {
  /** Counts due deliveries up to `limit`, except those of `without`. */
  countDue(query: {
    readonly without: readonly WebhookStep[];
    readonly now: Date;
    readonly limit: number;
  }): Promise<number>;
}

interface Dependencies {
  readonly deliveries: BacklogStore;
  readonly webhooks: Pick<WebhookBatches, 'findStates'>;
  readonly health: Pick<ReceiverHealthRegistry, 'of'>;
  readonly scheduler: Pick<Scheduler<never>, 'running'>;
  /** The longest time from a probe to its stored result. */
  readonly probeMs: number;
}

const MAX_COUNTED = 100_000;

/**
 * Measures the deliveries that wait for a worker. Deliveries that wait for their receiver are not counted, because
 * operators cannot change that. Such a receiver has an open circuit breaker, or it fails or is slow and has no free
 * concurrency.
 */
export function createDeliveryBacklog(dependencies: Dependencies): DeliveryBacklog {
  const { deliveries, webhooks, health, scheduler, probeMs } = dependencies;

  async function findOfStep(step: Step, now: Date): Promise<readonly (OldestDue & WebhookStep)[]> {
    const { oldest } = await deliveries.findOldestDue({ step, now, range: { after: undefined, upTo: undefined } });
    return oldest.map((one) => ({ ...one, step }));
  }

  /** Finds webhooks with an open breaker, or with a running probe: one delivery that tests the receiver. */
  async function findBroken(webhookIds: ReadonlySet<string>, now: Date): Promise<ReadonlySet<string>> {
    if (webhookIds.size === 0) return new Set();
    const oldestProbe = now.getTime() - probeMs;
    const states = await webhooks.findStates([...webhookIds]);
    return new Set(
      states.filter(({ breaker }) => breaker !== undefined && breaker.until > oldestProbe).map(({ id }) => id),
    );
  }

  /** Whether the receiver fails or is slow, and has no free concurrency. The step `answers` counts as `fresh`. */
  function isBusy(webhookId: string, step: Step): boolean {
    const receiver = health.of(webhookId);
    const isWell = receiver.failureScore === 0 && receiver.latency !== 'slow';
    return !isWell && !mayStart(receiver, scheduler.running(webhookId), step === 'retry' ? 'retry' : 'fresh');
  }

  return {
    async measure(now) {
      const found = (await Promise.all(steps.map((step) => findOfStep(step, now)))).flat();
      const broken = await findBroken(new Set(found.map(({ webhookId }) => webhookId)), now);
      const waitsForReceiver = ({ webhookId, step }: WebhookStep) => broken.has(webhookId) || isBusy(webhookId, step);
      const { due = [], excluded = [] } = Object.groupBy(found, (one) => (waitsForReceiver(one) ? 'excluded' : 'due'));
      const oldest = due.reduce((first, { dueAt }) => Math.min(first, dueAt.getTime()), now.getTime());
      const count = await deliveries.countDue({ without: excluded, now, limit: MAX_COUNTED });
      return { count, oldestSeconds: (now.getTime() - oldest) / 1000 };
    },
  };
}
