import { randomUUID } from 'node:crypto';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { WebhookConfig } from '../config.ts';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import type { DeliveryApi } from '../deliveries/module.ts';
import { createAnswerClient } from './answer-client.ts';
import { createAnswerWorker } from './answer-worker.ts';
import { createFilledDeliveryStore } from './filled-delivery-store.ts';

interface Dependencies {
  readonly config: Pick<WebhookConfig, 'responseGrpcAddress'>;
  readonly deliveries: Pick<DeliveryApi, 'store' | 'states' | 'bodies' | 'worker'>;
}

/** Adds answers to the deliveries of webhooks with `include_answers`. */
export function createAnswerModule(runtime: ServiceRuntime, { config, deliveries }: Dependencies) {
  const { log, clock } = runtime;
  const response = runtime.connect('response', config.responseGrpcAddress);
  const worker = createAnswerWorker({
    queue: deliveries.store,
    deliveries: createFilledDeliveryStore(runtime.collection<DeliveryDocument>('deliveries')),
    webhooks: deliveries.states,
    answers: createAnswerClient(response, log),
    bodies: deliveries.bodies,
    onFilled: deliveries.worker.wake,
    clock,
    newId: randomUUID,
    log,
  });
  return { pollers: [worker], api: worker };
}
