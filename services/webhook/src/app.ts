import { randomBytes, randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { idempotencyIndexes } from '@survey/runtime/mongo/idempotency-store';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import { followTenants } from '@survey/runtime/tenants/follow-tenants';
import type { Logger } from 'pino';
import type { WebhookConfig } from './config.ts';
import { createAttempt } from './deliveries/attempt.ts';
import { createDeliveryMetrics } from './deliveries/delivery-metrics.ts';
import { createDeliveryService } from './deliveries/delivery-service.ts';
import { createDeliveryStore, type DeliveryDocument, deliveryIndexes } from './deliveries/delivery-store.ts';
import { createDeliveryWorker } from './deliveries/delivery-worker.ts';
import { createFanOut } from './deliveries/fan-out.ts';
import { createRetrySchedule } from './deliveries/retry-schedule.ts';
import { createHttpSender } from './sending/http-sender.ts';
import { createAddressRules } from './targets/address-rules.ts';
import { createNameLookup } from './targets/name-lookup.ts';
import { createTargetCheck } from './targets/target.ts';
import { createWebhookHandler } from './webhooks/webhook-handler.ts';
import { createWebhookSecrets } from './webhooks/webhook-secret.ts';
import { createWebhookService } from './webhooks/webhook-service.ts';
import { createWebhookStore, type WebhookDocument, webhookIndexes } from './webhooks/webhook-store.ts';

const consumed = [topics.survey, topics.response, topics.import];
/** What a turn may take beside the attempt: reading the webhook before, writing the result after. */
const LEASE_MARGIN_MS = 30_000;

export async function createWebhookApp(config: WebhookConfig, log: Logger) {
  const runtime = await createServiceRuntime('webhook', config, log);
  const { registry } = runtime;
  const clock = () => new Date();

  const isAllowed = createAddressRules({ allowed: config.allowedRanges, refused: config.refusedRanges });
  const checkTarget = createTargetCheck({ urlRules: config, isAllowed, loadAddresses: createNameLookup() });
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const secrets = createWebhookSecrets({ envelope, randomBytes });
  const webhookCollection = runtime.collection<WebhookDocument>('webhooks');
  const relay = runtime.relay(systemScope(webhookCollection));
  const webhookStore = createWebhookStore({ collection: webhookCollection, onEvent: relay.nudge });
  const webhooks = createWebhookService({ store: webhookStore, secrets, checkTarget, clock });
  const idempotency = runtime.idempotency(envelope);

  const deliveryStore = createDeliveryStore(runtime.collection<DeliveryDocument>('deliveries'));
  const deliveries = createDeliveryService({ store: deliveryStore, webhooks });
  const metrics = createDeliveryMetrics({ backlog: deliveryStore, clock, registry, log });
  const takeTurn = createAttempt({
    webhooks: webhookStore,
    disable: webhooks.disable,
    secrets,
    send: createHttpSender({ checkTarget, isAllowed }),
    schedule: createRetrySchedule({ seconds: config.retrySeconds, random: Math.random, clock }),
    metrics,
    clock,
    timeoutMs: config.timeoutMs,
    headerPrefix: config.headerPrefix,
    disableOnGone: config.disableOnGone,
  });
  const leaseMs = config.timeoutMs + LEASE_MARGIN_MS;
  const worker = createDeliveryWorker({
    queue: deliveryStore,
    takeTurn,
    metrics,
    clock,
    newId: randomUUID,
    leaseMs,
    log,
  });
  const handler = createFanOut({
    webhooks: webhookStore,
    deliveries: deliveryStore,
    clock,
    onDeliveries: worker.nudge,
  });
  const consumer = runtime.consumer({ name: 'events', topics: consumed, handler });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [createWebhookHandler({ webhooks, deliveries, idempotency })],
    indexes: {
      webhooks: [...webhookIndexes, outboxIndex],
      deliveries: deliveryIndexes,
      idempotency_keys: idempotencyIndexes,
      data_keys: dataKeyIndexes,
    },
    // Those that others own too: whoever comes first makes them, and a consumer cannot start without.
    topics: consumed.flatMap((topic) => [topic, deadLetterTopic(topic)]),
    workers: [relay],
    intake: [consumer, worker],
  });
}
