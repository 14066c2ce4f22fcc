import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTenant } from '../testing/at-work.ts';
import { type Receiver, startReceiver, statuses } from '../testing/receiver.ts';
import { startTestService, surveyCreated, type TestService } from '../testing/test-service.ts';
import { applyChange } from '../webhooks/webhook.ts';
import { createWebhookStore, type WebhookDocument } from '../webhooks/webhook-store.ts';
import { createWebhookStateStore } from './webhook-state-store.ts';

let service: TestService;
const receivers: Receiver[] = [];
const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

beforeAll(async () => {
  service = await startTestService();
});

afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

afterAll(() => service.close());

const collection = () => service.db.collection<WebhookDocument>('webhooks');
const failingOf = async (_id: string) => (await collection().findOne({ _id }))?.failing;

async function startFailing(...codes: readonly number[]) {
  const tenant = await startTenant(service, statuses(...codes));
  receivers.push(tenant.receiver);
  return {
    ...tenant,
    publish: (count = 1) =>
      service.publisher.publish(Array.from({ length: count }, () => surveyCreated(tenant.tenantId))),
  };
}

const setFailingSince = (_id: string, since: Date) =>
  collection().updateOne({ _id }, { $set: { 'failing.since': since } });

describe('a webhook whose deliveries fail for good', () => {
  it('is disabled once after five days of failures, and other webhooks of the tenant get one event', async () => {
    const { tenantId, call, createWebhook, publish } = await startFailing(500);
    const others = await startReceiver();
    receivers.push(others);
    const webhook = await createWebhook();
    await createWebhook({ url: others.url, event_types: ['webhook.disabled'] });
    await publish();
    await poll(() => failingOf(webhook.id));
    expect((await call('GET', `webhooks/${webhook.id}`)).body.active).toBe(true);
    await setFailingSince(webhook.id, daysAgo(5));
    await publish(2);
    const off = await poll(async () => {
      const { body } = await call('GET', `webhooks/${webhook.id}`);
      return body.active === false && body;
    });
    expect(off.disabled_reason).toBe('failing');
    const [received] = await poll(() => others.received.length > 0 && others.received);
    expect(JSON.parse(received?.body.toString() ?? '')).toMatchObject({
      event: 'webhook.disabled',
      data: { webhook_id: webhook.id, reason: 'failing' },
    });
    // Later failures publish no second event, and the webhook does not get its own event.
    const deliveries = await poll(async () => {
      const { body } = await call('GET', `webhooks/${webhook.id}/deliveries`);
      return body.every((one: { failure_reason?: string }) => one.failure_reason !== undefined) && body;
    });
    expect(new Set(deliveries.map((one: { event_type: string }) => one.event_type))).toEqual(
      new Set(['survey.created']),
    );
    expect(others.received).toHaveLength(1);
    const audit = (await readAuditEvents(tenantId, 3)).filter(({ action }) => action === 'webhook.disabled');
    expect(audit).toMatchObject([{ actor: 'webhook', resource_id: webhook.id }]);
  });

  it('starts counting again after any success', async () => {
    const { call, createWebhook, publish } = await startFailing(500, 500, 500, 200, 500);
    const webhook = await createWebhook();
    await publish();
    await poll(() => failingOf(webhook.id));
    await setFailingSince(webhook.id, daysAgo(6));
    await publish();
    await poll(async () => (await failingOf(webhook.id)) === undefined);
    await publish();
    await poll(() => failingOf(webhook.id));
    expect((await call('GET', `webhooks/${webhook.id}`)).body.active).toBe(true);
  });

  it('starts counting again after a successful test, but not after a failed one', async () => {
    const { call, createWebhook, publish } = await startFailing(500, 500, 500, 500, 200);
    const webhook = await createWebhook();
    await publish();
    await poll(() => failingOf(webhook.id));
    expect((await call('POST', `webhooks/${webhook.id}/test`, { body: {} })).body.status).toBe('failed');
    expect(await failingOf(webhook.id)).toBeDefined();
    expect((await call('POST', `webhooks/${webhook.id}/test`, { body: {} })).body.status).toBe('delivered');
    expect(await failingOf(webhook.id)).toBeUndefined();
  });

  it('starts counting again after a change of the webhook', async () => {
    const { call, createWebhook, publish } = await startFailing(500);
    const webhook = await createWebhook();
    await publish();
    await poll(() => failingOf(webhook.id));
    await setFailingSince(webhook.id, daysAgo(6));
    await call('PATCH', `webhooks/${webhook.id}`, { body: { description: 'mended' } });
    await publish();
    const failing = await poll(async () => {
      const now = await failingOf(webhook.id);
      return now?.revision === 2 && now;
    });
    expect(failing.since.getTime()).toBeGreaterThan(daysAgo(1).getTime());
    expect((await call('GET', `webhooks/${webhook.id}`)).body.active).toBe(true);
  });

  it('stays enabled if a delivery succeeds just before it would be disabled', async () => {
    const { tenantId, createWebhook } = await startFailing(200);
    const { id } = await createWebhook();
    const states = createWebhookStateStore(collection());
    const store = createWebhookStore({ collection: collection(), onEvent: () => undefined });
    const [webhook] = await states.findAll([id]);
    if (webhook === undefined) throw new Error('there is no webhook');
    const since = await states.noteFailure(webhook, daysAgo(6));
    expect(await states.noteFailure(webhook, new Date())).toEqual(since);
    const off = applyChange(webhook, { active: false, disabledReason: 'failing' }, new Date());
    await states.noteSuccess(webhook);
    expect(await store.disable(off, [], since)).toBe(false);
    const next = await states.noteFailure(webhook, new Date());
    expect([await store.disable(off, [], next), await store.disable(off, [], next)]).toEqual([true, false]);
    // After its activation, the period of failures starts again.
    expect(await states.findStates([id])).toMatchObject([{ revision: 2, failingSince: undefined }]);
    expect(await states.noteFailure(webhook, new Date())).toBeUndefined();
    expect((await store.find(webhook.tenantId, id))?.tenantId).toBe(tenantId);
  });
});
