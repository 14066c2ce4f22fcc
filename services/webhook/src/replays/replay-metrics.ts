import { type Backlog, measureBacklog } from '@survey/runtime/telemetry/backlog-metrics';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

/** Counts deliveries that a replay made due once more. */
export type CountReplayed = (deliveries: number) => void;

/** What waits to be gone on with. */
export interface ReplayBacklog {
  measureDue(now: Date): Promise<Backlog>;
}

interface Dependencies {
  readonly replays: ReplayBacklog;
  readonly clock: () => Date;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Tells which replays wait for their next batch: each does so for moments, unless nobody goes on with it. */
export function measureReplays({ replays, clock, registry, log }: Dependencies): CountReplayed {
  const replayed = new Counter({
    name: 'webhook_replayed_deliveries_total',
    help: 'Deliveries that replays made due once more.',
    aggregator: 'sum',
    registers: [registry],
  });
  measureBacklog({
    measure: () => replays.measureDue(clock()),
    count: { name: 'webhook_replays_due', help: 'Replays whose next batch is due now' },
    oldest: {
      name: 'webhook_oldest_replay_due_seconds',
      help: 'For how long the next batch of a replay has been due, at the most',
    },
    registry,
    log,
  });
  return (deliveries) => replayed.inc(deliveries);
}
