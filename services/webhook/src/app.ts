import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createIdempotencyModule } from '@survey/runtime/service/idempotency-module';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules, type ServiceModule } from '@survey/runtime/service/service-module';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import type { WebhookConfig } from './config.ts';
import { createDeliveryModule } from './deliveries/module.ts';
import { createFanOutModule } from './fan-out/module.ts';
import { createHealthModule } from './health/module.ts';
import { createReplayModule } from './replays/module.ts';
import { createRetentionModule } from './retention/module.ts';
import { createTargetModule } from './targets/target.ts';
import { createReplayHandlers, createWebhookHandler } from './webhook-handler.ts';
import { createWebhookModule } from './webhooks/module.ts';

/** Composes the features. Each one uses only features above it. */
export async function createWebhookApp(config: WebhookConfig, log: Logger) {
  const runtime = await createServiceRuntime('webhook', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyDataKeys: envelope.erase });
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants }));
  const idempotency = add(createIdempotencyModule(runtime, envelope));
  const targets = add(createTargetModule(config));
  const webhooks = add(createWebhookModule(runtime, { config, envelope, targets }));
  const deliveries = add(createDeliveryModule(runtime, { config, envelope, targets, webhooks }));
  add(createFanOutModule(runtime, { deliveries }));
  const replays = add(createReplayModule(runtime, webhooks));
  const health = add(createHealthModule(runtime, { ...webhooks, ...deliveries }));
  add(createRetentionModule(runtime, { config, deliveries: deliveries.store }));
  const { clock } = runtime;
  const { headerPrefix } = config;
  add(createHandlerModule({ ...webhooks, ...deliveries, replays, health, idempotency, clock, headerPrefix }));
  return createServiceApp({ runtime, config, tenants, modules });
}

type Dependencies = Omit<Parameters<typeof createWebhookHandler>[0], 'replayHandlers'> &
  Parameters<typeof createReplayHandlers>[0];

/** Implements the operations with the services of several features. */
function createHandlerModule(needs: Dependencies): ServiceModule {
  return { handlers: [createWebhookHandler({ ...needs, replayHandlers: createReplayHandlers(needs) })] };
}
