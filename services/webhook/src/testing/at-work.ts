import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import { type Receiver, type Respond, startReceiver } from './receiver.ts';
import type { TestService } from './test-service.ts';

/** Creates a tenant with its own receiver. `close` stops the receiver. */
export async function startTenant(service: TestService, respond?: Respond) {
  const tenantId = randomUUID();
  const receiver: Receiver = await startReceiver(respond);
  const call = (method: string, path: string, options: Omit<Parameters<TestService['call']>[2], 'tenantId'> = {}) =>
    service.call(method, `/v1/${path}`, { tenantId, ...options });

  return {
    tenantId,
    receiver,
    call,
    addSurvey(id: string = randomUUID()) {
      service.surveys.tenants.set(id, tenantId);
      return id;
    },
    async createWebhook(more: object = {}) {
      const created = await call('POST', 'webhooks', { body: { url: receiver.url, event_types: ['*'], ...more } });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      return created.body;
    },
    /** Waits until the webhook has `count` deliveries and all have the status. */
    deliveriesTo: (webhookId: string, count: number, status = 'delivered') =>
      poll(async () => {
        const { body } = await call('GET', `webhooks/${webhookId}/deliveries`);
        return body.length >= count && body.every((one: { status: string }) => one.status === status)
          ? body
          : undefined;
      }),
    close: receiver.close,
  };
}
