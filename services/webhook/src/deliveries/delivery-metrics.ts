import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AttemptFailure } from '../sending/attempt-error.ts';

/** How an attempt ended: with a good status, a bad one, or none. */
type AttemptOutcome = 'delivered' | 'bad_status' | AttemptFailure;

/** What waits for a worker. */
export interface DeliveryBacklog {
  measure(now: Date): Promise<{ readonly count: number; readonly oldestSeconds: number }>;
}

export interface DeliveryMetrics {
  attempted(outcome: AttemptOutcome): void;
  /** @param seconds from the event to its delivery */
  delivered(seconds: number): void;
  /** A worker was slower than its lease: the delivery may be sent twice. */
  leaseLost(): void;
}

export function createDeliveryMetrics({
  backlog,
  clock,
  registry,
  log,
}: {
  readonly backlog: DeliveryBacklog;
  readonly clock: () => Date;
  readonly registry: Registry;
  readonly log: Logger;
}): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to send a webhook, by how they ended.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const delay = new Histogram({
    name: 'webhook_delivery_delay_seconds',
    help: 'Time from an event to its delivery, retries included.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3600],
    aggregator: 'sum',
    registers,
  });
  const lost = new Counter({
    name: 'webhook_leases_lost_total',
    help: 'Results that came after the lease had ended and were not written down.',
    aggregator: 'sum',
    registers,
  });
  const oldest = new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'For how long the oldest delivery has waited for a worker; every replica tells the same number.',
    aggregator: 'max',
    registers,
  });
  new Gauge({
    name: 'webhook_deliveries_due',
    help: 'Deliveries that wait for a worker now, counted up to 100,000; every replica tells the same number.',
    aggregator: 'max',
    registers,
    async collect() {
      try {
        const { count, oldestSeconds } = await backlog.measure(clock());
        this.set(count);
        oldest.set(oldestSeconds);
      } catch (error) {
        log.warn({ err: error }, 'the backlog could not be measured');
      }
    },
  });
  return {
    attempted: (outcome) => attempts.inc({ outcome }),
    delivered: (seconds) => delay.observe(seconds),
    leaseLost: () => lost.inc(),
  };
}
