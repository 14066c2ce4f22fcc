import { randomUUID } from 'node:crypto';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { WebhookApi } from '../webhooks/module.ts';
import { measureReplays } from './replay-metrics.ts';
import { createReplayRunner } from './replay-runner.ts';
import { createReplayService } from './replay-service.ts';
import { createReplayStore, type ReplayDocument, replayIndexes } from './replay-store.ts';
import { createReplayedDeliveryStore } from './replayed-delivery-store.ts';

type Dependencies = Pick<WebhookApi, 'webhooks' | 'store'>;

/** After the lease, another process continues the replay. */
const LEASE_MS = 30_000;

/** Sends all deliveries of a time range again. */
export function createReplayModule(runtime: ServiceRuntime, { webhooks, store: webhookStore }: Dependencies) {
  const { reporting, log, clock } = runtime;
  const store = createReplayStore(runtime.collection<ReplayDocument>('replays'));
  const deliveries = createReplayedDeliveryStore(runtime.collection<DeliveryDocument>('deliveries'));
  const runner = createReplayRunner({
    replays: store,
    deliveries,
    webhooks: webhookStore,
    onReplayed: measureReplays({ replays: store, clock, ...reporting }),
    clock,
    newId: randomUUID,
    leaseMs: LEASE_MS,
    log,
  });
  return {
    indexes: { replays: replayIndexes },
    pollers: [runner],
    api: createReplayService({ store, deliveries, webhooks, clock, onDue: runner.wake }),
  };
}
