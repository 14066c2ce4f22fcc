import { type Backlog, measureBacklog } from '@survey/runtime/telemetry/backlog-metrics';
import type { Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter } from 'prom-client';

/** Counts deliveries that a replay made due again. */
export type CountReplayed = (deliveries: number) => void;

export interface ReplayBacklog {
  measureDue(now: Date): Promise<Backlog>;
}

interface Dependencies extends Reporting {
  readonly replays: ReplayBacklog;
  readonly clock: () => Date;
}

/** Measures replays that wait for their next batch. A long wait means that no process continues them. */
export function measureReplays({ replays, clock, ...reporting }: Dependencies): CountReplayed {
  const replayed = new Counter({
    name: 'webhook_replayed_deliveries_total',
    help: 'Deliveries that replays made due again.',
    aggregator: 'sum',
    registers: [reporting.registry],
  });
  measureBacklog({
    measure: () => replays.measureDue(clock()),
    count: { name: 'webhook_replays_due', help: 'Replays whose next batch is due now' },
    oldest: {
      name: 'webhook_oldest_replay_due_seconds',
      help: 'Longest time that the next batch of a replay has been due',
    },
    ...reporting,
  });
  return (deliveries) => replayed.inc(deliveries);
}
