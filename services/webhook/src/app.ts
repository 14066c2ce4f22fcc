import { randomBytes, randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { type DataKeyDocument, dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { followKeyring } from '@survey/runtime/crypto/follow-keyring';
import { createConsumer } from '@survey/runtime/kafka/consumer';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
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
  const { registry, publisher, kafka } = runtime;
  const clock = () => new Date();

  const isAllowed = createAddressRules({ allowed: config.allowedRanges, refused: config.refusedRanges });
  const checkTarget = createTargetCheck({ urlRules: config, isAllowed, loadAddresses: createNameLookup() });
  const dataKeys = runtime.collection<DataKeyDocument>('data_keys');
  const keyring = await followKeyring({ secret: config.encryptionKeyring, collection: dataKeys, log });
  const envelope = createEnvelope({ collection: dataKeys, keyring, clock });
  const secrets = createWebhookSecrets({ envelope, randomBytes });
  const webhookStore = createWebhookStore(runtime.collection<WebhookDocument>('webhooks'));
  const webhooks = createWebhookService({ store: webhookStore, secrets, checkTarget, clock, newId: v7 });

  const deliveryStore = createDeliveryStore(runtime.collection<DeliveryDocument>('deliveries'));
  const deliveries = createDeliveryService({ store: deliveryStore, webhooks });
  const metrics = createDeliveryMetrics({ backlog: deliveryStore, clock, registry, log });
  const takeTurn = createAttempt({
    webhooks: webhookStore,
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
  const consumer = createConsumer({ kafka, groupId: 'webhook', topics: consumed, handler, publisher, log, registry });

  return createServiceApp({
    runtime,
    config,
    implementations: [createWebhookHandler({ webhooks, deliveries })],
    indexes: { webhooks: webhookIndexes, deliveries: deliveryIndexes, data_keys: dataKeyIndexes },
    // Those that others own too: whoever comes first makes them, and a consumer cannot start without.
    topics: consumed.flatMap((topic) => [topic, deadLetterTopic(topic)]),
    intake: [consumer, worker],
  });
}
