import { randomBytes } from 'node:crypto';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { WebhookConfig } from '../config.ts';
import type { TargetApi } from '../targets/target.ts';
import { createSurveyLookup } from './survey-client.ts';
import { createHeaderEncryption } from './webhook-headers.ts';
import { createSecretRotation, createWebhookSecrets } from './webhook-secret.ts';
import { createWebhookService } from './webhook-service.ts';
import { createWebhookStore, type WebhookDocument, webhookIndexes } from './webhook-store.ts';

interface Dependencies {
  readonly config: Pick<WebhookConfig, 'surveyGrpcAddress' | 'headerPrefix'>;
  readonly envelope: Envelope;
  readonly targets: Pick<TargetApi, 'checkTarget'>;
}

export type WebhookApi = ReturnType<typeof createWebhookModule>['provides'];

export function createWebhookModule(runtime: ServiceRuntime, { config, envelope, targets }: Dependencies) {
  const { clock } = runtime;
  const collection = runtime.collection<WebhookDocument>('webhooks');
  const relay = runtime.relay(systemScope(collection));
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const store = createWebhookStore({ collection, onEvent: relay.wake });
  const secrets = createWebhookSecrets({ envelope, randomBytes });
  const headers = createHeaderEncryption(envelope);
  const webhooks = createWebhookService({
    store,
    surveys: createSurveyLookup(survey),
    secrets,
    headers,
    checkTarget: targets.checkTarget,
    headerPrefix: config.headerPrefix,
    clock,
  });
  return {
    indexes: { webhooks: [...webhookIndexes, outboxIndex] },
    stoppedLast: [relay],
    provides: {
      webhooks,
      store,
      secrets,
      headers,
      rotation: createSecretRotation({ store, webhooks, secrets, clock }),
    },
  };
}
