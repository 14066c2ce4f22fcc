import { randomUUID } from 'node:crypto';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { type Backlog, measureBacklog, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter } from 'prom-client';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { WebhookApi } from '../webhooks/module.ts';
import { createReplayRunner } from './replay-runner.ts';
import { createReplayService } from './replay-service.ts';
import { createReplayDeliveryStore, createReplayStore, type ReplayDocument, replayIndexes } from './replay-store.ts';

type Dependencies = Pick<WebhookApi, 'webhooks' | 'store'>;

/** Duration of a lease. After it, another process continues the replay. */
const LEASE_MS = 30_000;

/** Sends the deliveries of a time range again. */
export function createReplayModule(runtime: ServiceRuntime, { webhooks, store: webhookStore }: Dependencies) {
  const { reporting, log, clock } = runtime;
  const store = createReplayStore(runtime.collection<ReplayDocument>('replays'));
  const deliveries = createReplayDeliveryStore(runtime.collection<DeliveryDocument>('deliveries'));
  const runner = createReplayRunner({
    replays: store,
    deliveries,
    webhooks: webhookStore,
    onReplayed: createReplayMetrics({ replays: store, clock, ...reporting }),
    clock,
    newId: randomUUID,
    leaseMs: LEASE_MS,
    log,
  });
  return {
    indexes: { replays: replayIndexes },
    stoppedFirst: [runner],
    provides: createReplayService({ store, deliveries, webhooks, clock, onDue: runner.wake }),
  };
}

/** Counts deliveries that a replay made due again. */
type CountReplayed = (deliveries: number) => void;

export interface ReplayBacklog {
  measureDue(now: Date): Promise<Backlog>;
}

interface MetricDependencies extends Reporting {
  readonly replays: ReplayBacklog;
  readonly clock: () => Date;
}

/** Counts replayed deliveries, and measures how long replays wait for their next batch. */
function createReplayMetrics({ replays, clock, ...reporting }: MetricDependencies): CountReplayed {
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
