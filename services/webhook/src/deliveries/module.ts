import { randomUUID } from 'node:crypto';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { WebhookConfig } from '../config.ts';
import { createConnections } from '../sending/connections.ts';
import { createHttpSender } from '../sending/http-sender.ts';
import type { TargetApi } from '../targets/target.ts';
import type { WebhookApi } from '../webhooks/module.ts';
import type { WebhookDocument } from '../webhooks/webhook-store.ts';
import { createAnswerClient } from './answer-client.ts';
import { createAddAnswers } from './answers.ts';
import { createAttemptDelivery } from './attempt.ts';
import { createRetrySchedule } from './delivery.ts';
import { createDeliveryEncryption, type DeliveryDocument } from './delivery-document.ts';
import { createDeliveryBacklog, createDeliveryMetrics } from './delivery-metrics.ts';
import { createDeliveryService, createRedelivery, createTestCall } from './delivery-service.ts';
import { createDeliveryStore, createRedeliveryStore, deliveryIndexes } from './delivery-store.ts';
import { createDeliveryWorker, type DeliveryJob } from './delivery-worker.ts';
import { createPostDelivery } from './post-delivery.ts';
import { createFailureWatch, createReceiverHealthRegistry } from './receiver-health.ts';
import { createScheduler, POLICY } from './scheduler.ts';
import { createWebhookReader, createWebhookStateStore, type WebhookState } from './webhook-state-store.ts';

interface Dependencies {
  readonly config: WebhookConfig;
  readonly envelope: Envelope;
  readonly targets: TargetApi;
  readonly webhooks: WebhookApi;
}

/** Idle connections of all webhooks together. */
const MAX_KEPT_CONNECTIONS = 2_048;
const DAY_MS = 24 * 60 * 60_000;

export type DeliveryApi = ReturnType<typeof createDeliveryModule>['provides'];

/** Sends deliveries and shows them to tenants. */
export function createDeliveryModule(runtime: ServiceRuntime, needs: Dependencies) {
  const { reporting, log, clock, now } = runtime;
  const { config, targets } = needs;
  const { webhooks, secrets, headers } = needs.webhooks;
  const { concurrency, timeoutMs, headerPrefix, disableOnGone } = config;
  const leaseMs = timeoutMs + config.leaseMarginMs;
  const collection = runtime.collection<DeliveryDocument>('deliveries');
  const store = createDeliveryStore(collection);
  /** Shared by all processes: webhooks, the health of their receivers, and the number of recent test calls. */
  const states = createWebhookStateStore(runtime.collection<WebhookDocument>('webhooks'));
  const encryption = createDeliveryEncryption(needs.envelope);

  const receiverHealth = createReceiverHealthRegistry({ store: states, maxConcurrency: concurrency, clock, log });
  const scheduler = createScheduler<DeliveryJob>({ policy: POLICY, health: receiverHealth, clock, now });
  const backlog = createDeliveryBacklog({
    deliveries: store,
    webhooks: states,
    health: receiverHealth,
    scheduler,
    probeMs: leaseMs,
  });
  const metrics = createDeliveryMetrics({ backlog, clock, ...reporting });
  metrics.addGauges({ scheduler, health: receiverHealth });

  const connections = createConnections({ perKey: concurrency, total: MAX_KEPT_CONNECTIONS });
  const send = createHttpSender({ ...targets, connections, onConnection: metrics.connected });
  const post = createPostDelivery({ secrets, headers, encryption, send, metrics, clock, headerPrefix });
  const { disable } = webhooks;
  const disableAfterMs = config.disableAfterDays * DAY_MS;
  // Receiver health decides when to send, within seconds. The failure watch disables webhooks that fail for days.
  const failures = createFailureWatch({ store: states, disable, disableAfterMs, clock, log });
  const learn = (state: WebhookState) => {
    receiverHealth.adoptState(state);
    failures.adoptState(state);
  };
  const attemptDelivery = createAttemptDelivery({
    webhooks: createWebhookReader({ batches: states, onState: learn }),
    disable,
    failures,
    post,
    schedule: createRetrySchedule({ seconds: config.retrySeconds, random: Math.random, clock }),
    metrics,
    clock,
    timeoutMs,
    disableOnGone,
    log,
  });
  const worker = createDeliveryWorker({
    queue: store,
    scheduler,
    addAnswers: createAddAnswers({
      source: createAnswerClient(runtime.connect('response', config.responseGrpcAddress), log),
      webhooks: states,
      encryption,
      clock,
      log,
    }),
    attemptDelivery,
    health: receiverHealth,
    metrics,
    clock,
    newId: randomUUID,
    leaseMs,
    log,
  });
  return {
    indexes: { deliveries: deliveryIndexes },
    stoppedFirst: [worker],
    connections: [connections],
    provides: {
      store,
      states,
      encryption,
      worker,
      countDuplicates: metrics.duplicatesSuppressed,
      deliveries: createDeliveryService({ store, webhooks, encryption }),
      redelivery: createRedelivery({
        store: createRedeliveryStore(collection),
        deliveries: store,
        webhooks,
        clock,
        onDue: worker.wake,
      }),
      testCall: createTestCall({
        webhooks,
        testLimit: states,
        deliveries: store,
        failures,
        post,
        clock,
        newId: randomUUID,
        timeoutMs,
        leaseMs,
      }),
    },
  };
}
