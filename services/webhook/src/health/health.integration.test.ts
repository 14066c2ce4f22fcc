import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import { createDeliveryStore } from '../deliveries/delivery-store.ts';
import { startTenant } from '../testing/at-work.ts';
import { statuses } from '../testing/receiver.ts';
import { minutesAgo, missedDeliveries, NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { startTestService, surveyCreated, type TestService } from '../testing/test-service.ts';
import type { WebhookDocument } from '../webhooks/webhook-store.ts';
import { createHealthStore } from './health-store.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const deliveries = () => service.db.collection<DeliveryDocument>('deliveries');
const nothing = { deliveries: 0, attempts: 0, succeeded: 0, is_sample: false };

describe('the health of a webhook', () => {
  it('is that of a webhook that never sent anything', async () => {
    const { call, createWebhook, close } = await startTenant(service);
    const { id } = await createWebhook();
    const { status, body } = await call('GET', `webhooks/${id}/health`);
    expect(status).toBe(200);
    expect(body).toEqual({
      webhook_id: id,
      circuit: 'closed',
      last_hour: nothing,
      last_day: nothing,
      pending: 0,
      retrying: 0,
      failed: 0,
      capped: [],
    });
    await close();
  });

  it('has the attempts of the last hour and day, and failed deliveries', async () => {
    const { tenantId, call, createWebhook, close } = await startTenant(service, statuses(500, 200));
    const { id } = await createWebhook();
    const [old, lost] = missedDeliveries(tenantId, id, [minutesAgo(90), minutesAgo(25 * 60)]);
    if (old === undefined || lost === undefined) throw new Error('there are two');
    const attempt = { number: 1, trigger: 'schedule', startedAt: minutesAgo(90), durationMs: 7 } as const;
    const refused = { ...attempt, statusCode: 400, reply: undefined, error: undefined };
    await createDeliveryStore(deliveries()).insertNew([{ ...old, attempts: [refused] }, lost], NOTHING_RESERVED);
    await service.publisher.publish([surveyCreated(tenantId)]);
    await poll(async () => {
      const found = await deliveries().findOne({ webhook_id: id, status: 'delivered' });
      return found?.attempts.length === 2;
    });
    const { body } = await call('GET', `webhooks/${id}/health`);
    const latencies = { latency_p50_ms: expect.any(Number), latency_p95_ms: expect.any(Number) };
    expect(body).toEqual({
      webhook_id: id,
      circuit: 'closed',
      last_hour: { deliveries: 1, attempts: 2, succeeded: 1, success_rate: 0.5, ...latencies, is_sample: false },
      last_day: { deliveries: 2, attempts: 3, succeeded: 1, success_rate: 1 / 3, ...latencies, is_sample: false },
      pending: 0,
      retrying: 0,
      failed: 2,
      capped: [],
    });
    await close();
  });

  it('has the state of the circuit, and the time since which everything fails', async () => {
    const { call, createWebhook, close } = await startTenant(service);
    const { id } = await createWebhook();
    const until = new Date(Date.now() + 60_000);
    const since = minutesAgo(30);
    await service.db
      .collection<WebhookDocument>('webhooks')
      .updateOne(
        { _id: id },
        { $set: { breaker: { until, pause_ms: 5_000, revision: 1 }, failing: { since, revision: 1 } } },
      );
    expect((await call('GET', `webhooks/${id}/health`)).body).toMatchObject({
      circuit: 'open',
      circuit_probe_at: until.toISOString(),
      failing_since: since.toISOString(),
    });
    await close();
  });

  it('has the age of the oldest waiting delivery', async () => {
    const { tenantId, call, createWebhook, close } = await startTenant(service, (response) => response.destroy());
    const { id } = await createWebhook();
    const made = missedDeliveries(tenantId, id, [minutesAgo(5), minutesAgo(9)]);
    const nextAttemptAt = new Date(Date.now() + 3_600_000);
    const [one, other] = made.map((delivery) => ({ ...delivery, failureReason: undefined, nextAttemptAt }));
    if (one === undefined || other === undefined) throw new Error('there are two');
    await createDeliveryStore(deliveries()).insertNew([{ ...one, status: 'pending' }, other], NOTHING_RESERVED);
    const { body } = await call('GET', `webhooks/${id}/health`);
    expect(body).toMatchObject({ pending: 1, retrying: 1, capped: [] });
    expect(body.oldest_waiting_age_seconds).toBeGreaterThanOrEqual(540);
    expect(body.oldest_waiting_age_seconds).toBeLessThan(600);
    await close();
  });

  it('is not found for a webhook of another tenant, and needs the permission', async () => {
    const [one, other] = [await startTenant(service), await startTenant(service)];
    const { id } = await one.createWebhook();
    expect((await other.call('GET', `webhooks/${id}/health`)).body.code).toBe('WEBHOOK_NOT_FOUND');
    const reply = await one.call('GET', `webhooks/${id}/health`, { permissions: ['surveys:read'] });
    expect(reply.status).toBe(403);
    await Promise.all([one.close(), other.close()]);
  });
});

describe('waiting deliveries', () => {
  it('are counted by status, with the time of the next attempt', async () => {
    const [tenantId, webhookId] = [toTenantId(randomUUID()), randomUUID()];
    const made = missedDeliveries(tenantId, webhookId, [minutesAgo(3), minutesAgo(2), minutesAgo(1), minutesAgo(1)]);
    const later = new Date(Date.now() + 60 * 60_000);
    const waiting = made.slice(0, 3).map((one, index) => ({
      ...one,
      status: 'pending' as const,
      failureReason: undefined,
      awaitsAnswers: index === 2,
      nextAttemptAt: new Date(later.getTime() + index * 1_000),
    }));
    const none = { lease: NOTHING_RESERVED.lease, ids: new Set<string>() };
    await createDeliveryStore(deliveries()).insertNew([...waiting, ...made.slice(3)], none);
    await deliveries().updateOne({ _id: made[0]?.id ?? '' }, { $set: { lane: 'retry', status: 'failed' } });
    // The answers of this delivery came late.
    await deliveries().updateOne({ _id: made[1]?.id ?? '' }, { $set: { lane: 'retry' } });
    const store = createHealthStore(deliveries());
    expect(await store.countDeliveries(tenantId, webhookId)).toEqual({
      pending: 2,
      retrying: 1,
      failed: 1,
      capped: [],
      waitingSince: made[0]?.createdAt,
      nextAttemptAt: later,
    });
    // Only the number above the limit is capped.
    expect(await createHealthStore(deliveries(), 1).countDeliveries(tenantId, webhookId)).toMatchObject({
      pending: 1,
      retrying: 1,
      failed: 1,
      capped: ['pending'],
    });
    expect(await store.countDeliveries(toTenantId(randomUUID()), webhookId)).toMatchObject({ pending: 0, failed: 0 });
  });

  it('are sampled newest first, up to a limit', async () => {
    const [tenantId, webhookId] = [toTenantId(randomUUID()), randomUUID()];
    const times = [minutesAgo(3), minutesAgo(1), minutesAgo(2)];
    await createDeliveryStore(deliveries()).insertNew(missedDeliveries(tenantId, webhookId, times), NOTHING_RESERVED);
    const sample = await createHealthStore(deliveries()).sample(tenantId, webhookId, minutesAgo(60), 2);
    expect(sample.map(({ createdAt }) => createdAt)).toEqual([times[1], times[2]]);
  });
});
