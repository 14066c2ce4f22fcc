import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import { createDeliveryStore } from '../deliveries/delivery-store.ts';
import { type Receiver, type Respond, startReceiver, statuses } from '../testing/receiver.ts';
import { minutesAgo, missedDeliveries, NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { startTestService, surveyCreated, type TestService } from '../testing/test-service.ts';

let service: TestService;
const receivers: Receiver[] = [];

beforeAll(async () => {
  service = await startTestService();
});

afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

afterAll(() => service.close());

const call: TestService['call'] = (method, path, options) => service.call(method, path, options);

async function createWebhook(tenantId: string, respond?: Respond) {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  const body = { url: receiver.url, event_types: ['survey.*'] };
  const { body: webhook } = await call('POST', '/v1/webhooks', { tenantId, body });
  return { receiver, webhook };
}

const deliveries = () => service.db.collection<DeliveryDocument>('deliveries');

async function storeMissed(tenantId: string, webhookId: string, times: readonly Date[], type?: string) {
  const missed = missedDeliveries(tenantId, webhookId, times, type);
  await createDeliveryStore(deliveries()).insertNew(missed, NOTHING_RESERVED);
  return missed;
}

const replay = (tenantId: string, webhookId: string, body?: object, headers = {}) =>
  call('POST', `/v1/webhooks/${webhookId}/replay`, { tenantId, body: body ?? {}, headers });

const show = (tenantId: string, id: string) => call('GET', `/v1/webhook-replays/${id}`, { tenantId });

const over = (tenantId: string, id: string) =>
  poll(async () => {
    const { body } = await show(tenantId, id);
    return body.status === 'running' ? undefined : body;
  });

describe('a replay', () => {
  it('sends failed deliveries again, with the same ids and bytes, and shows its progress', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId);
    const times = Array.from({ length: 130 }, (_, index) => minutesAgo(200 - index));
    const missed = await storeMissed(tenantId, webhook.id, times);
    const started = await replay(tenantId, webhook.id);
    expect(started.status).toBe(202);
    expect(started.headers.get('location')).toBe(`/v1/webhook-replays/${started.body.id}`);
    expect(started.body).toMatchObject({ webhook_id: webhook.id, status: 'running', statuses: ['failed'], total: 130 });
    const done = await over(tenantId, started.body.id);
    expect(done).toMatchObject({ status: 'completed', replayed: 130, finished_at: expect.any(String) });
    await poll(() => receiver.received.length === 130);
    const bodies = receiver.received.map(({ body }) => body.toString());
    expect(bodies.sort()).toEqual(missed.map(({ body }) => Buffer.from(body).toString()).sort());
    const path = `/v1/webhooks/${webhook.id}/deliveries?status=delivered&limit=1`;
    const [first] = await poll(async () => {
      const { body } = await call('GET', path, { tenantId });
      return body.length > 0 ? body : undefined;
    });
    expect(first).toMatchObject({ attempts: [{ number: 1, trigger: 'replay', status_code: 200 }] });
    expect(first).not.toHaveProperty('failure_reason');
    expect((await call('GET', `/v1/webhooks/${webhook.id}/replays`, { tenantId })).body).toEqual([done]);
  });

  it('selects deliveries by range (since inclusive, until exclusive), status and event type', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId);
    const [since, until] = [minutesAgo(50), minutesAgo(40)];
    const justBefore = (time: Date) => new Date(time.getTime() - 1);
    await storeMissed(tenantId, webhook.id, [justBefore(since), until]);
    const meant = await storeMissed(tenantId, webhook.id, [since, justBefore(until)]);
    await storeMissed(tenantId, webhook.id, [since], 'survey.closed');
    await storeMissed(tenantId, webhook.id, [since], 'webhook.test');
    const [delivered] = await storeMissed(tenantId, webhook.id, [since]);
    await deliveries().updateOne({ _id: delivered?.id ?? '' }, { $set: { status: 'delivered' } });
    const range = { since: since.toISOString(), until: until.toISOString() };
    const first = await replay(tenantId, webhook.id, { ...range, event_types: ['survey.created'] });
    expect(first.body).toMatchObject({ ...range, event_types: ['survey.created'], total: 2 });
    await over(tenantId, first.body.id);
    await poll(() => receiver.received.length === 2);
    const sent = () => receiver.received.map(({ request }) => request.headers['x-service-delivery']);
    expect(sent().sort()).toEqual(meant.map(({ id }) => id).sort());
    await poll(
      async () =>
        (await deliveries().countDocuments({ tenant_id: webhook.tenant_id, due_at: { $exists: true } })) === 0,
    );
    const second = await replay(tenantId, webhook.id, { ...range, statuses: ['delivered', 'failed'] });
    expect(second.body.total).toBe(4);
    await over(tenantId, second.body.id);
    await poll(() => receiver.received.length === 6);
    expect(sent()).toContain(delivered?.id);
  });

  it('skips deliveries that are being sent or wait for a retry', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId);
    const [waiting, missed] = await storeMissed(tenantId, webhook.id, [minutesAgo(2), minutesAgo(1)]);
    const later = new Date(Date.now() + 3_600_000);
    await deliveries().updateOne({ _id: waiting?.id ?? '' }, { $set: { due_at: later, next_attempt_at: later } });
    const { body } = await replay(tenantId, webhook.id);
    expect(body.total).toBe(1);
    expect(await over(tenantId, body.id)).toMatchObject({ status: 'completed', replayed: 1 });
    await poll(() => receiver.received.length === 1);
    expect(receiver.received[0]?.request.headers['x-service-delivery']).toBe(missed?.id);
    expect(await deliveries().findOne({ _id: waiting?.id ?? '' })).toMatchObject({ due_at: later });
  });

  it('is created once for an Idempotency-Key, and one at a time for its webhook', async () => {
    const tenantId = randomUUID();
    const { webhook } = await createWebhook(tenantId, () => undefined);
    const times = Array.from({ length: 600 }, () => minutesAgo(1));
    await storeMissed(tenantId, webhook.id, times);
    const replies = await Promise.all(
      [1, 2, 3].map(() => replay(tenantId, webhook.id, {}, { 'idempotency-key': 'one' })),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const rejected = await replay(tenantId, webhook.id);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'STATE_CONFLICT']);
    const id = replies[0]?.body.id;
    const cancel = (headers = {}) => call('POST', `/v1/webhook-replays/${id}/cancel`, { tenantId, body: {}, headers });
    expect((await cancel({ 'if-match': '"0"' })).body.code).toBe('PRECONDITION_FAILED');
    // The replay makes progress, so its revision changes.
    const cancelled = await poll(async () => {
      const reply = await cancel({ 'if-match': (await show(tenantId, id)).headers.get('etag') });
      return reply.status === 200 ? reply : undefined;
    });
    expect(cancelled.body).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) });
    expect((await cancel({ 'if-match': '*' })).body.code).toBe('STATE_CONFLICT');
    expect((await replay(tenantId, webhook.id)).status).toBe(202);
  });

  it.each([
    ['was deleted', 'DELETE', undefined],
    ['was disabled', 'PATCH', { active: false }],
  ])('fails when its webhook %s meanwhile', async (_case, method, body) => {
    const tenantId = randomUUID();
    const { webhook } = await createWebhook(tenantId, () => undefined);
    await storeMissed(
      tenantId,
      webhook.id,
      Array.from({ length: 600 }, () => minutesAgo(1)),
    );
    const started = await replay(tenantId, webhook.id);
    await call(method, `/v1/webhooks/${webhook.id}`, { tenantId, body });
    const done = await over(tenantId, started.body.id);
    expect(done.status).toBe('failed');
    expect(done.replayed).toBeLessThan(600);
  });

  it.each([
    ['a time in the future', { until: new Date(Date.now() + 3_600_000).toISOString() }, 422, '/until'],
    ['an empty range', { since: '2020-01-02T00:00:00Z', until: '2020-01-02T00:00:00Z' }, 422, '/since'],
    ['an unknown type', { event_types: ['survey.created', 'survey.*'] }, 422, '/event_types/1'],
    ['a state that is not over', { statuses: ['pending'] }, 422, '/statuses/0'],
  ])('is rejected with %s', async (_case, body, status, path) => {
    const tenantId = randomUUID();
    const { webhook } = await createWebhook(tenantId);
    const rejected = await replay(tenantId, webhook.id, body);
    expect([rejected.status, rejected.body.errors[0].path]).toEqual([status, path]);
  });

  it('is rejected for a webhook that is disabled or of another tenant, and visible to its tenant only', async () => {
    const tenantId = randomUUID();
    const { webhook } = await createWebhook(tenantId, statuses(200));
    const { body } = await replay(tenantId, webhook.id);
    const other = randomUUID();
    expect((await replay(other, webhook.id)).body.code).toBe('WEBHOOK_NOT_FOUND');
    expect((await show(other, body.id)).body.code).toBe('REPLAY_NOT_FOUND');
    const cancel = await call('POST', `/v1/webhook-replays/${body.id}/cancel`, { tenantId: other, body: {} });
    expect(cancel.body.code).toBe('REPLAY_NOT_FOUND');
    await over(tenantId, body.id);
    await call('PATCH', `/v1/webhooks/${webhook.id}`, { tenantId, body: { active: false } });
    expect((await replay(tenantId, webhook.id)).body.code).toBe('STATE_CONFLICT');
  });
});

describe('a delivery that is sent again', () => {
  const redeliver = (tenantId: string, id: string, headers = {}) =>
    call('POST', `/v1/webhook-deliveries/${id}/redeliver`, { tenantId, body: {}, headers });

  const deliveryWith = (tenantId: string, id: string, attempts: number) =>
    poll(async () => {
      const { body } = await call('GET', `/v1/webhook-deliveries/${id}`, { tenantId });
      return body.attempts.length === attempts && body.next_attempt_at === undefined ? body : undefined;
    });

  const tagOf = async (tenantId: string, id: string) =>
    (await call('GET', `/v1/webhook-deliveries/${id}`, { tenantId })).headers.get('etag');

  it('starts a new schedule with the same id and bytes, after success or failure', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId, statuses(200, 500, 500, 500, 200));
    await service.publisher.publish([surveyCreated(tenantId)]);
    const path = `/v1/webhooks/${webhook.id}/deliveries`;
    const { id } = await poll(async () => (await call('GET', path, { tenantId })).body[0]);
    await deliveryWith(tenantId, id, 1);
    const tags = [await tagOf(tenantId, id)];
    const accepted = await redeliver(tenantId, id);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ id, status: 'pending', next_attempt_at: expect.any(String) });
    tags.push(accepted.headers.get('etag'));
    expect(await deliveryWith(tenantId, id, 4)).toMatchObject({
      status: 'failed',
      failure_reason: 'retries_exhausted',
    });
    tags.push(await tagOf(tenantId, id));
    expect((await redeliver(tenantId, id)).body).not.toHaveProperty('failure_reason');
    const { status, attempts } = await deliveryWith(tenantId, id, 5);
    expect(status).toBe('delivered');
    expect(attempts.map(({ number, trigger }: { number: number; trigger: string }) => `${number} ${trigger}`)).toEqual([
      '1 schedule',
      '2 redeliver',
      '3 redeliver',
      '4 redeliver',
      '5 redeliver',
    ]);
    tags.push(await tagOf(tenantId, id));
    expect(new Set(tags).size).toBe(4);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  });

  it('before its next attempt replaces that attempt: none is lost, and none is added', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId, statuses(500));
    const [missed] = await storeMissed(tenantId, webhook.id, [minutesAgo(1)]);
    const id = missed?.id ?? '';
    const later = new Date(Date.now() + 3_600_000);
    const attempt = { number: 1, trigger: 'schedule' as const, started_at: minutesAgo(1), duration_ms: 1 };
    const waiting = { due_at: later, next_attempt_at: later, attempts: [attempt] };
    await deliveries().updateOne({ _id: id }, { $set: waiting, $unset: { failure_reason: '' } });
    expect((await redeliver(tenantId, id)).body).toMatchObject({ status: 'failed' });
    // The requested attempt, and the two retries of the schedule.
    await deliveryWith(tenantId, id, 4);
    expect(receiver.received).toHaveLength(3);
  });

  it('is sent only at the revision in If-Match', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId);
    const [missed] = await storeMissed(tenantId, webhook.id, [minutesAgo(1)]);
    const id = missed?.id ?? '';
    const seen = { 'if-match': await tagOf(tenantId, id) };
    expect((await redeliver(tenantId, id, seen)).status).toBe(202);
    await deliveryWith(tenantId, id, 1);
    const rejected = await redeliver(tenantId, id, seen);
    expect([rejected.status, rejected.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await redeliver(tenantId, id, { 'if-match': '*' })).status).toBe(202);
    await deliveryWith(tenantId, id, 2);
    expect(receiver.received).toHaveLength(2);
  });

  it('is rejected while it is being sent', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId, () => undefined);
    await service.publisher.publish([surveyCreated(tenantId)]);
    await poll(() => receiver.received.length === 1);
    const { body } = await call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { tenantId });
    const rejected = await redeliver(tenantId, body[0].id);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps its last fifty attempts', async () => {
    const tenantId = randomUUID();
    const { webhook } = await createWebhook(tenantId);
    const [missed] = await storeMissed(tenantId, webhook.id, [minutesAgo(1)]);
    const id = missed?.id ?? '';
    const attempts = Array.from({ length: 50 }, (_, index) => ({
      number: index + 1,
      trigger: 'redeliver' as const,
      started_at: minutesAgo(1),
      duration_ms: 1,
    }));
    await deliveries().updateOne({ _id: id }, { $set: { attempts } });
    await redeliver(tenantId, id);
    const numbers = await poll(async () => {
      const { body } = await call('GET', `/v1/webhook-deliveries/${id}`, { tenantId });
      return body.status === 'delivered' && body.attempts.map(({ number }: { number: number }) => number);
    });
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([50, 2, 51]);
  });

  it('is rejected if its webhook is deleted or disabled, if it does not exist, and for other tenants', async () => {
    const tenantId = randomUUID();
    const { receiver, webhook } = await createWebhook(tenantId);
    const [missed] = await storeMissed(tenantId, webhook.id, [minutesAgo(1)]);
    const id = missed?.id ?? '';
    expect((await redeliver(tenantId, randomUUID())).body.code).toBe('DELIVERY_NOT_FOUND');
    expect((await redeliver(randomUUID(), id)).body.code).toBe('DELIVERY_NOT_FOUND');
    await call('PATCH', `/v1/webhooks/${webhook.id}`, { tenantId, body: { active: false } });
    expect((await redeliver(tenantId, id)).body.code).toBe('STATE_CONFLICT');
    await call('DELETE', `/v1/webhooks/${webhook.id}`, { tenantId });
    expect((await redeliver(tenantId, id)).body.code).toBe('WEBHOOK_NOT_FOUND');
    expect(receiver.received).toHaveLength(0);
  });
});

describe('the metrics of replays', () => {
  it('count replayed deliveries, and show no backlog', async () => {
    const numberOf = async (series: string) => {
      const page = await (await fetch(`http://127.0.0.1:${service.ports.adminPort}/metrics`)).text();
      const line = page.split('\n').find((candidate) => candidate.startsWith(`${series} `));
      return Number(line?.split(' ')[1]);
    };
    const before = await numberOf('webhook_replayed_deliveries_total');
    const tenantId = randomUUID();
    const { webhook } = await createWebhook(tenantId);
    await storeMissed(tenantId, webhook.id, [minutesAgo(3), minutesAgo(2), minutesAgo(1)]);
    const started = await replay(tenantId, webhook.id);
    await over(tenantId, started.body.id);
    await expect.poll(() => numberOf('webhook_replayed_deliveries_total')).toBe(before + 3);
    await expect.poll(() => numberOf('webhook_replays_due')).toBe(0);
    await expect.poll(() => numberOf('webhook_oldest_replay_due_seconds')).toBe(0);
  });
});
