import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { DeliveryApi } from '../deliveries/module.ts';
import type { WebhookApi } from '../webhooks/module.ts';
import { createWebhookHealthService } from './health-service.ts';
import { createHealthStore } from './health-store.ts';

interface Dependencies extends Pick<WebhookApi, 'webhooks'>, Pick<DeliveryApi, 'states'> {}

/** Shows tenants the health of their webhooks. */
export function createHealthModule(runtime: ServiceRuntime, { webhooks, states }: Dependencies) {
  const { clock, now } = runtime;
  const store = createHealthStore(runtime.collection<DeliveryDocument>('deliveries'));
  return { provides: createWebhookHealthService({ webhooks, states, store, clock, now }) };
}
