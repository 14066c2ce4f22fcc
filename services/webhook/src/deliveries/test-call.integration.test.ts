import { poll } from '@survey/runtime/testing/poll';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTenant } from '../testing/at-work.ts';
import { type Respond, statuses } from '../testing/receiver.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import type { WebhookDocument } from '../webhooks/webhook-store.ts';
import type { DeliveryDocument } from './delivery-document.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function withTenant(run: (tenant: Awaited<ReturnType<typeof startTenant>>) => Promise<void>, respond?: Respond) {
  const tenant = await startTenant(service, respond);
  try {
    await run(tenant);
  } finally {
    await tenant.close();
  }
}

describe('a test of a webhook', () => {
  it('sends a signed event immediately, returns the result, and is stored as a delivery', () =>
    withTenant(async ({ call, createWebhook, receiver }) => {
      const { id, secret } = await createWebhook({ event_types: ['survey.*'], headers: { 'X-Team': 'lunch' } });
      const { status, headers, body } = await call('POST', `webhooks/${id}/test`, { body: {} });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        webhook_id: id,
        event_type: 'webhook.test',
        status: 'delivered',
        payload: {
          api_version: 'v1',
          event: 'webhook.test',
          data: { webhook_id: id, message: expect.any(String), occurred_at: expect.any(String), revision: 1 },
        },
        attempts: [{ number: 1, trigger: 'test', status_code: 200, response_excerpt: 'thanks' }],
      });
      const [received] = receiver.received;
      if (received === undefined) throw new Error('nothing was received');
      // A header that occurs once is a string.
      const sent = received.request.headers as Record<string, string>;
      expect(new Webhook(secret).verify(received.body, sent)).toEqual(body.payload);
      expect(sent['x-team']).toBe('lunch');
      const kept = await call('GET', `webhook-deliveries/${body.id}`);
      expect(kept.body).toEqual(body);
      expect(kept.headers.get('etag')).toBe(headers.get('etag'));
      expect((await call('GET', `webhooks/${id}/deliveries?event_type=webhook.test`)).body).toEqual([body]);
    }));

  it('reaches a disabled webhook, even without a request body', () =>
    withTenant(async ({ call, createWebhook }) => {
      const { id } = await createWebhook({ active: false });
      expect((await call('POST', `webhooks/${id}/test`)).body.status).toBe('delivered');
    }));

  it.each([500, 302, 410])('that gets %i fails for good, and does not disable the webhook', (code) =>
    withTenant(async ({ call, createWebhook, receiver }) => {
      const { id } = await createWebhook();
      const { body } = await call('POST', `webhooks/${id}/test`, { body: {} });
      expect(body).toMatchObject({ status: 'failed', failure_reason: 'retries_exhausted' });
      expect(body.attempts).toMatchObject([{ status_code: code }]);
      expect(body).not.toHaveProperty('next_attempt_at');
      expect((await call('GET', `webhooks/${id}`)).body.active).toBe(true);
      expect(receiver.received).toHaveLength(1);
    }, statuses(code)),
  );

  it('without a reply ends at the deadline', () =>
    withTenant(
      async ({ call, createWebhook }) => {
        const { id } = await createWebhook();
        const { status, body } = await call('POST', `webhooks/${id}/test`, { body: {} });
        expect([status, body.status, body.attempts[0].error]).toEqual([200, 'failed', 'timeout']);
      },
      () => undefined,
    ));

  it('to an address that is no longer allowed opens no connection', () =>
    withTenant(async ({ call, createWebhook, receiver }) => {
      const { id } = await createWebhook();
      const webhooks = service.db.collection<{ _id: string }>('webhooks');
      const url = `http://[::ffff:10.0.0.1]:${receiver.port}/`;
      await webhooks.updateOne({ _id: id }, { $set: { url } });
      const { body } = await call('POST', `webhooks/${id}/test`, { body: {} });
      expect(body).toMatchObject({ status: 'failed', attempts: [{ error: 'address_refused' }] });
      expect(receiver.connections()).toBe(0);
    }));

  it('is sent at most ten times a minute for each webhook, even if requested concurrently', () =>
    withTenant(async ({ call, createWebhook, receiver }) => {
      const [one, other] = [await createWebhook(), await createWebhook()];
      const test = (id: string) => call('POST', `webhooks/${id}/test`, { body: {} });
      const replies = await Promise.all(Array.from({ length: 12 }, () => test(one.id)));
      const rejected = replies.filter(({ status }) => status === 429);
      expect([replies.filter(({ status }) => status === 200).length, rejected.length]).toEqual([10, 2]);
      expect(rejected[0]?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS', policy: 'webhook-tests' });
      expect(rejected[0]?.headers.get('ratelimit-policy')).toBe('"webhook-tests";q=10;w=60');
      const wait = Number(rejected[0]?.headers.get('retry-after'));
      expect(wait > 0 && wait <= 60).toBe(true);
      expect(receiver.received).toHaveLength(10);
      expect((await test(other.id)).status).toBe(200);
      const webhooks = service.db.collection<WebhookDocument>('webhooks');
      await webhooks.updateOne({ _id: one.id }, { $set: { 'recent_tests.0.at': new Date(Date.now() - 60_001) } });
      expect([(await test(one.id)).status, (await test(one.id)).status]).toEqual([200, 429]);
    }));

  it('of a process that died is sent by another process', () =>
    withTenant(async ({ call, createWebhook, receiver }) => {
      const { id } = await createWebhook();
      const { body } = await call('POST', `webhooks/${id}/test`, { body: {} });
      const deliveries = service.db.collection<DeliveryDocument>('deliveries');
      const lost = { status: 'pending', lane: 'fresh', attempts: [], claim: 'lost', due_at: new Date() } as const;
      await deliveries.updateOne({ _id: body.id }, { $set: lost });
      const again = await poll(async () => {
        const { body: shown } = await call('GET', `webhook-deliveries/${body.id}`);
        return shown.status === 'delivered' ? shown : undefined;
      });
      expect(again.attempts).toMatchObject([{ number: 1, trigger: 'test' }]);
      expect(receiver.received).toHaveLength(2);
    }));
});
