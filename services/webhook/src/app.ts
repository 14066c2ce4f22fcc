import { randomBytes, randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { idempotencyIndexes } from '@survey/runtime/idempotency/idempotency-store';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyHandler } from '@survey/runtime/service/key-handler';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { createAnswerClient } from './answers/answer-client.ts';
import { createAnswerWorker } from './answers/answer-worker.ts';
import { createFilledDeliveryStore } from './answers/filled-delivery-store.ts';
import type { WebhookConfig } from './config.ts';
import { createAttempt } from './deliveries/attempt.ts';
import { createDeliveryBacklog } from './deliveries/delivery-backlog.ts';
import { createDeliveryBodies } from './deliveries/delivery-body.ts';
import { createDeliveryMetrics } from './deliveries/delivery-metrics.ts';
import { createDeliveryService } from './deliveries/delivery-service.ts';
import { createDeliveryStore, type DeliveryDocument, deliveryIndexes } from './deliveries/delivery-store.ts';
import { createDeliveryWorker, type DeliveryJob } from './deliveries/delivery-worker.ts';
import { createFanOut } from './deliveries/fan-out.ts';
import { createPostDelivery } from './deliveries/post-delivery.ts';
import { createReceiverHealthRegistry } from './deliveries/receiver-health-registry.ts';
import { createRedelivery } from './deliveries/redelivery.ts';
import { createRedeliveryStore } from './deliveries/redelivery-store.ts';
import { createRetrySchedule } from './deliveries/retry-schedule.ts';
import { createScheduler } from './deliveries/scheduler.ts';
import { POLICY } from './deliveries/scheduler-policy.ts';
import { createTestCall } from './deliveries/test-call.ts';
import { createWebhookHealth } from './deliveries/webhook-health.ts';
import { createWebhookReader, type WebhookState } from './deliveries/webhook-reader.ts';
import { createReplayHandlers } from './replays/replay-handler.ts';
import { measureReplays } from './replays/replay-metrics.ts';
import { createReplayRunner } from './replays/replay-runner.ts';
import { createReplayService } from './replays/replay-service.ts';
import { createReplayStore, type ReplayDocument, replayIndexes } from './replays/replay-store.ts';
import { createExpiredStore } from './retention/expired-store.ts';
import { createRetention } from './retention/retention.ts';
import { createConnections } from './sending/connections.ts';
import { createHttpSender } from './sending/http-sender.ts';
import { createSurveyLookup } from './surveys/survey-client.ts';
import { createAddressRules } from './targets/address-rules.ts';
import { createNameLookup } from './targets/name-lookup.ts';
import { shareLookups } from './targets/shared-lookup.ts';
import { createTargetCheck } from './targets/target.ts';
import { createSecretRotation } from './webhooks/secret-rotation.ts';
import { createWebhookHandler } from './webhooks/webhook-handler.ts';
import { createWebhookHeaders } from './webhooks/webhook-headers.ts';
import { createWebhookSecrets } from './webhooks/webhook-secret.ts';
import { createWebhookService } from './webhooks/webhook-service.ts';
import { createWebhookStateStore } from './webhooks/webhook-state-store.ts';
import { createWebhookStore, type WebhookDocument, webhookIndexes } from './webhooks/webhook-store.ts';

const consumed = [topics.survey, topics.response, topics.import, topics.webhook];
/** Of all webhooks together, between attempts. */
const MAX_KEPT_CONNECTIONS = 2_048;
/** After it another process goes on with the replays of a lost one. */
const REPLAY_LEASE_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;

export async function createWebhookApp(config: WebhookConfig, log: Logger) {
  const runtime = await createServiceRuntime('webhook', config, log);
  const clock = () => new Date();

  const isAllowed = createAddressRules({ allowed: config.allowedRanges, refused: config.refusedRanges });
  const loadAddresses = shareLookups(createNameLookup({ servers: config.dnsServers }));
  const checkTarget = createTargetCheck({ urlRules: config, isAllowed, loadAddresses });
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const secrets = createWebhookSecrets({ envelope, randomBytes });
  const webhookCollection = runtime.collection<WebhookDocument>('webhooks');
  const relay = runtime.relay(systemScope(webhookCollection));
  const webhookStore = createWebhookStore({ collection: webhookCollection, onEvent: relay.wake });
  const headers = createWebhookHeaders(envelope);
  const { headerPrefix } = config;
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const surveys = createSurveyLookup(survey);
  const webhooks = createWebhookService({
    store: webhookStore,
    surveys,
    secrets,
    headers,
    checkTarget,
    headerPrefix,
    clock,
  });
  const rotation = createSecretRotation({ store: webhookStore, webhooks, secrets, clock });
  const idempotency = runtime.idempotency(envelope);

  const deliveryCollection = runtime.collection<DeliveryDocument>('deliveries');
  const deliveryStore = createDeliveryStore(deliveryCollection);
  const bodies = createDeliveryBodies(envelope);
  const deliveries = createDeliveryService({ store: deliveryStore, webhooks, bodies });
  const webhookStates = createWebhookStateStore(webhookCollection);
  const receiverHealth = createReceiverHealthRegistry({
    store: webhookStates,
    maxConcurrency: config.concurrency,
    clock,
    log,
  });
  const scheduler = createScheduler<DeliveryJob>({
    policy: POLICY,
    health: receiverHealth,
    clock,
    now: () => performance.now(),
  });
  const leaseMs = config.timeoutMs + config.leaseMarginMs;
  const backlog = createDeliveryBacklog({
    deliveries: deliveryStore,
    webhooks: webhookStates,
    health: receiverHealth,
    scheduler,
    probeMs: leaseMs,
  });
  const metrics = createDeliveryMetrics({ backlog, clock, ...runtime.reporting });
  metrics.observe({ scheduler, health: receiverHealth });
  const connections = createConnections({ perKey: config.concurrency, total: MAX_KEPT_CONNECTIONS });
  const post = createPostDelivery({
    secrets,
    headers,
    bodies,
    send: createHttpSender({ checkTarget, isAllowed, connections, onConnection: metrics.connected }),
    metrics,
    clock,
    headerPrefix,
  });
  const health = createWebhookHealth({
    store: webhookStates,
    disable: webhooks.disable,
    disableAfterMs: config.disableAfterDays * DAY_MS,
    clock,
    log,
  });
  const learn = (state: WebhookState) => {
    receiverHealth.learn(state);
    health.learn(state);
  };
  const attemptDelivery = createAttempt({
    webhooks: createWebhookReader({ batches: webhookStates, onState: learn }),
    disable: webhooks.disable,
    health,
    post,
    schedule: createRetrySchedule({ seconds: config.retrySeconds, random: Math.random, clock }),
    metrics,
    clock,
    timeoutMs: config.timeoutMs,
    disableOnGone: config.disableOnGone,
    log,
  });
  const worker = createDeliveryWorker({
    queue: deliveryStore,
    scheduler,
    attemptDelivery,
    health: receiverHealth,
    metrics,
    clock,
    newId: randomUUID,
    leaseMs,
    log,
  });
  const testCall = createTestCall({
    webhooks,
    limit: webhookStates,
    deliveries: deliveryStore,
    failures: webhookStates,
    post,
    clock,
    newId: randomUUID,
    timeoutMs: config.timeoutMs,
    leaseMs,
  });
  const response = runtime.connect('response', config.responseGrpcAddress);
  const answerWorker = createAnswerWorker({
    queue: deliveryStore,
    deliveries: createFilledDeliveryStore(deliveryCollection),
    webhooks: webhookStates,
    answers: createAnswerClient(response, log),
    bodies,
    onFilled: worker.wake,
    clock,
    newId: randomUUID,
    log,
  });
  const handler = createFanOut({
    webhooks: webhookStates,
    deliveries: deliveryStore,
    clock,
    worker,
    onDuplicates: metrics.suppressed,
    onAwaiting: answerWorker.wake,
  });
  const deliveriesAgain = createRedeliveryStore(deliveryCollection);
  const redelivery = createRedelivery({
    store: deliveriesAgain,
    deliveries: deliveryStore,
    webhooks,
    clock,
    onDue: worker.wake,
  });
  const replayCollection = runtime.collection<ReplayDocument>('replays');
  const replayStore = createReplayStore(replayCollection);
  const onReplayed = measureReplays({ replays: replayStore, clock, ...runtime.reporting });
  const replayRunner = createReplayRunner({
    replays: replayStore,
    deliveries: deliveriesAgain,
    webhooks: webhookStore,
    onReplayed,
    clock,
    newId: randomUUID,
    leaseMs: REPLAY_LEASE_MS,
    log,
  });
  const replays = createReplayService({
    store: replayStore,
    deliveries: deliveriesAgain,
    webhooks,
    clock,
    onDue: replayRunner.wake,
  });
  const replayHandlers = createReplayHandlers({ replays, idempotency });
  const retention = createRetention({
    records: [createExpiredStore(deliveryCollection), createExpiredStore(replayCollection)],
    keptMs: config.retentionDays * DAY_MS,
    lease: runtime.lease('retention'),
    clock,
    log,
  });
  const consumer = runtime.consumer({ name: 'events', topics: consumed, handler });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [
      createWebhookHandler({
        webhooks,
        rotation,
        deliveries,
        testCall,
        redelivery,
        replayHandlers,
        idempotency,
        clock,
      }),
      createKeyHandler({ envelope, tenants }),
    ],
    indexes: {
      webhooks: [...webhookIndexes, outboxIndex],
      deliveries: deliveryIndexes,
      replays: replayIndexes,
      idempotency_keys: idempotencyIndexes,
      data_keys: dataKeyIndexes,
    },
    // Those that others own too: whoever comes first makes them, and a consumer cannot start without.
    topics: consumed.flatMap((topic) => [topic, deadLetterTopic(topic)]),
    workers: [relay],
    intake: [consumer, answerWorker, worker, replayRunner, retention],
    connections: [connections, survey, response],
  });
}
