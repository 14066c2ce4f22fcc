import { type Backlog, measureBacklog } from '@survey/runtime/telemetry/backlog-metrics';
import type { Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter, Gauge, Histogram } from 'prom-client';
import { attemptFailures } from '../sending/attempt-error.ts';
import { type ConnectionUse, connectionUses } from '../sending/http-sender.ts';
import type { ReceiverHealthRegistry } from './receiver-health-registry.ts';
import type { Scheduler } from './scheduler.ts';

/** How an attempt ended: with a good status, a bad one, or none. */
const attemptOutcomes = ['delivered', 'bad_status', ...attemptFailures] as const;
type AttemptOutcome = (typeof attemptOutcomes)[number];

/** How a delivery ended. */
const deliveryOutcomes = ['delivered', 'failed'] as const;

/** What waits for a worker, and not for its own receiver. */
export interface DeliveryBacklog {
  measure(now: Date): Promise<Backlog>;
}

export interface DeliveryMetrics {
  attempted(outcome: AttemptOutcome): void;
  /** A delivery is over that was not sent again. @param seconds from the event until then */
  ended(outcome: (typeof deliveryOutcomes)[number], seconds: number): void;
  /** A worker was slower than its lease: the delivery may be sent twice. */
  leaseLost(): void;
  /** Events came again, and their deliveries were there already. */
  suppressed(duplicates: number): void;
  connected(use: ConnectionUse): void;
  /** Reports the running attempts and the circuit breakers of this process. */
  observe(parts: {
    readonly scheduler: Pick<Scheduler<never>, 'count'>;
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
    help: 'Attempts to send a webhook, by how they ended.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const delay = new Histogram({
    name: 'webhook_delivery_delay_seconds',
    help: 'Time from an event to the last attempt of its delivery, by how it ended; not of tests, nor of what was redelivered or replayed.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3600],
    aggregator: 'sum',
    registers,
  });
  const lost = new Counter({
    name: 'webhook_leases_lost_total',
    help: 'Results that came after the lease had ended and were not written down.',
    aggregator: 'sum',
    registers,
  });
  const duplicates = new Counter({
    name: 'webhook_duplicates_suppressed_total',
    help: 'Deliveries that were there already when their event came again.',
    aggregator: 'sum',
    registers,
  });
  const connections = new Counter({
    name: 'webhook_connections_total',
    help: 'Attempts by their connection: new, kept from an attempt before, or replaced because the kept one was gone.',
    labelNames: ['use'],
    aggregator: 'sum',
    registers,
  });
  for (const outcome of attemptOutcomes) attempts.inc({ outcome }, 0);
  for (const outcome of deliveryOutcomes) delay.zero({ outcome });
  for (const use of connectionUses) connections.inc({ use }, 0);
  measureBacklog({
    measure: () => backlog.measure(clock()),
    count: {
      name: 'webhook_deliveries_due',
      help: 'Deliveries that wait for a worker now, and not for a receiver that fails or is slow, counted up to 100,000',
    },
    oldest: {
      name: 'webhook_oldest_due_seconds',
      help: 'For how long the oldest delivery has waited for a worker, and not for a receiver that fails or is slow',
    },
    ...reporting,
  });
  return {
    attempted: (outcome) => attempts.inc({ outcome }),
    ended: (outcome, seconds) => delay.observe({ outcome }, seconds),
    leaseLost: () => lost.inc(),
    suppressed: (count) => duplicates.inc(count),
    connected: (use) => connections.inc({ use }),
    observe({ scheduler, health }) {
      new Gauge({
        name: 'webhook_attempts_running',
        help: 'Attempts that run now: of new deliveries, of retries, and those of both that take long.',
        labelNames: ['lane'],
        aggregator: 'sum',
        registers,
        collect() {
          for (const [lane, count] of Object.entries(scheduler.count())) this.set({ lane }, count);
        },
      });
      new Gauge({
        name: 'webhook_breakers',
        help: 'Webhooks that get nothing new now because they failed, by state; each replica reports those it knows.',
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
