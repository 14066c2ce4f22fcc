import { createHmac, randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, type Respond, startReceiver, statuses } from './testing/receiver.ts';
import { startTestService, surveyCreated, type TestService } from './testing/test-service.ts';

let service: TestService;
const receivers: Receiver[] = [];

beforeAll(async () => {
  service = await startTestService();
});

afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

afterAll(() => service.close());

const call: TestService['call'] = (method, path, options) => service.call(method, path, options);

async function receive(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

async function createWebhook(tenantId: string, url: string, more: object = {}) {
  const body = { url, event_types: ['survey.*'], ...more };
  const created = await call('POST', '/v1/webhooks', { tenantId, body });
  expect(created.status).toBe(201);
  return created.body;
}

interface Shown {
  readonly status: string;
  readonly failure_reason?: string;
}

/** Waits until the newest delivery of a webhook meets the condition. */
function deliveryOf(tenantId: string, webhookId: string, isRight: (delivery: Shown) => boolean) {
  return poll(async () => {
    const { body } = await call('GET', `/v1/webhooks/${webhookId}/deliveries`, { tenantId });
    return body.length > 0 && isRight(body[0]) ? body[0] : undefined;
  });
}

describe('webhooks', () => {
  it('show the secret once, and are returned as they were created', async () => {
    const tenantId = randomUUID();
    const given = { url: 'https://1.1.1.1/a?b=c', event_types: ['response.submitted', '*'], description: 'mine' };
    const created = await call('POST', '/v1/webhooks', { tenantId, body: given });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/webhooks/${created.body.id}`);
    expect(created.body).toMatchObject({ ...given, tenant_id: tenantId, active: true });
    const { secret, ...shown } = created.body;
    expect(Buffer.from(/^whsec_(.*)$/.exec(secret)?.[1] ?? '', 'base64')).toHaveLength(32);
    expect((await call('GET', `/v1/webhooks/${shown.id}`, { tenantId })).body).toEqual(shown);
    expect((await call('GET', '/v1/webhooks', { tenantId })).body).toEqual([shown]);
    const stored = await service.db.collection('webhooks').findOne({ tenant_id: tenantId });
    expect(stored).toMatchObject({ url: given.url });
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it.each([
    ['an unknown event type', { event_types: ['survey.created', 'survey.*x', 'nope'] }, 422, '/event_types/1'],
    ['no event types', { event_types: [] }, 422, '/event_types'],
    ['a secret of 23 characters', { secret: 'a'.repeat(23) }, 422, '/secret'],
    ['a secret of 257 characters', { secret: 'a'.repeat(257) }, 422, '/secret'],
    ['a secret of spaces', { secret: ' '.repeat(30) }, 422, '/secret'],
    ['a secret of zero bytes', { secret: `whsec_${Buffer.alloc(18).toString('base64')}` }, 422, '/secret'],
    ['a secret with invalid base64', { secret: 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!' }, 422, '/secret'],
    ['an unknown member', { colour: 'red' }, 400, '/colour'],
    ['a private address', { url: 'https://10.0.0.1/' }, 422, '/url'],
    ['another notation of a private address', { url: 'https://0x0a.1/' }, 422, '/url'],
    ['no URL', { url: 'hook' }, 422, '/url'],
    ['user info', { url: 'https://me:pw@1.1.1.1/' }, 422, '/url'],
    ['a fragment', { url: 'https://1.1.1.1/#a' }, 422, '/url'],
    ['another scheme', { url: 'ftp://1.1.1.1/' }, 422, '/url'],
  ])('are rejected with %s', async (_case, wrong, status, path) => {
    const body = { url: 'https://1.1.1.1/', event_types: ['*'], ...wrong };
    const rejected = await call('POST', '/v1/webhooks', { tenantId: randomUUID(), body });
    expect(rejected.status).toBe(status);
    expect(rejected.body.errors[0].path).toBe(path);
    if (path === '/url') expect(rejected.body.code).toBe('WEBHOOK_URL_REFUSED');
  });

  it.each([24, 256])('accept a tenant’s own secret with %d characters', async (length) => {
    const secret = 'éa1b2c3d'.repeat(32).slice(0, length);
    const created = await createWebhook(randomUUID(), 'https://1.1.1.1/', { secret });
    expect(created.secret).toBe(secret);
  });

  it('are created once for an Idempotency-Key, and return their secret each time', async () => {
    const tenantId = randomUUID();
    const body = { url: 'https://1.1.1.1/', event_types: ['*'] };
    const create = (description: string) =>
      call('POST', '/v1/webhooks', { tenantId, body: { ...body, description }, headers: { 'idempotency-key': 'k' } });
    const replies = await Promise.all([1, 2, 3].map(() => create('a')));
    const used = service.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: tenantId }, { $set: { answer: null } });
    for (const { status, headers, body: webhook } of [...replies, await create('a')]) {
      expect([status, headers.get('location')]).toEqual([201, `/v1/webhooks/${webhook.id}`]);
      expect(webhook).toEqual(replies[0]?.body);
    }
    expect((await create('b')).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await create('a')).headers.get('etag')).toBe('"1"');
    // The webhook was changed between the first call and its repetition.
    await service.db.collection('webhooks').updateOne({ tenant_id: tenantId }, { $inc: { revision: 1 } });
    await used.updateOne({ tenant_id: tenantId }, { $set: { answer: null } });
    expect((await create('a')).headers.get('etag')).toBe('"2"');
    expect((await call('GET', '/v1/webhooks', { tenantId })).body).toHaveLength(1);
  });

  it('are deleted only at the revision in If-Match', async () => {
    const tenantId = randomUUID();
    const { id } = await createWebhook(tenantId, 'https://1.1.1.1/');
    const seen = (await call('GET', `/v1/webhooks/${id}`, { tenantId })).headers.get('etag') ?? '';
    const remove = (tag: string) => call('DELETE', `/v1/webhooks/${id}`, { tenantId, headers: { 'if-match': tag } });
    expect((await remove('"7"')).body.code).toBe('PRECONDITION_FAILED');
    expect((await remove(seen)).status).toBe(204);
    expect((await remove(seen)).body.code).toBe('WEBHOOK_NOT_FOUND');
  });

  it('publish their changes and actors, never the secret', async () => {
    const tenantId = randomUUID();
    const url = 'https://1.1.1.1/';
    const { id, secret } = await createWebhook(tenantId, url);
    await call('DELETE', `/v1/webhooks/${id}`, { tenantId });
    const auditEvents = await readAuditEvents(tenantId, 2);
    const common = { actor: 'user-1', resource_type: 'webhook', resource_id: id, request_id: expect.any(String) };
    expect(auditEvents).toMatchObject([
      { ...common, action: 'webhook.created' },
      { ...common, action: 'webhook.deleted' },
    ]);
    expect(auditEvents[0]?.['changes']).toContainEqual({ path: '/url', after: url });
    expect(auditEvents[1]?.['changes']).toContainEqual({ path: '/url', before: url });
    expect(JSON.stringify(auditEvents)).not.toContain(secret);
    await poll(async () => (await service.db.collection<{ _id: string }>('webhooks').findOne({ _id: id })) === null);
  });

  it('are invisible to other tenants, with their deliveries', async () => {
    const tenantId = randomUUID();
    const receiver = await receive();
    const webhook = await createWebhook(tenantId, receiver.url);
    await service.publisher.publish([surveyCreated(tenantId)]);
    const delivery = await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'delivered');
    const other = { tenantId: randomUUID() };
    for (const path of [`webhooks/${webhook.id}`, `webhooks/${webhook.id}/deliveries`]) {
      expect((await call('GET', `/v1/${path}`, other)).body.code).toBe('WEBHOOK_NOT_FOUND');
    }
    expect((await call('GET', `/v1/webhook-deliveries/${delivery.id}`, other)).body.code).toBe('DELIVERY_NOT_FOUND');
    expect((await call('DELETE', `/v1/webhooks/${webhook.id}`, other)).status).toBe(404);
    expect((await call('GET', '/v1/webhooks', other)).body).toEqual([]);
    expect((await call('GET', `/v1/webhooks/${webhook.id}`, { tenantId })).status).toBe(200);
  });
});

describe('an event', () => {
  it('arrives signed, in canonical JSON, and is shown as delivered', async () => {
    const tenantId = randomUUID();
    const receiver = await receive();
    const webhook = await createWebhook(tenantId, receiver.url);
    const surveyId = randomUUID();
    const occurredAt = new Date();
    await service.publisher.publish([surveyCreated(tenantId, surveyId, occurredAt)]);
    const { request, body } = await poll(() => receiver.received[0]);
    const delivery = await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'delivered');

    expect(body.toString()).toBe(
      `{"api_version":"v1","data":{"occurred_at":"${occurredAt.toISOString()}","revision":1,"status":"draft",` +
        `"survey_id":"${surveyId}","title":"Zoë 😀","version":1},` +
        `"delivery_id":"${delivery.id}","event":"survey.created","timestamp":"${delivery.created_at}"}`,
    );
    expect([request.method, request.url]).toEqual(['POST', '/hook?a=1']);
    expect(request.rawHeaders).toEqual(expect.arrayContaining(['X-Service-Signature', 'X-Service-Delivery']));
    const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
    expect(request.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-service-signature': `sha256=${signature}`,
      'x-service-delivery': delivery.id,
      'user-agent': 'Survey-Webhook/1.0',
    });
    const standard = new Webhook(webhook.secret);
    // A header that occurs once is a string.
    expect(standard.verify(body, request.headers as Record<string, string>)).toEqual(delivery.payload);

    expect(delivery).toMatchObject({ webhook_id: webhook.id, event_type: 'survey.created' });
    expect(delivery.attempts).toEqual([
      {
        number: 1,
        trigger: 'schedule',
        started_at: expect.any(String),
        duration_ms: expect.any(Number),
        status_code: 200,
        response_excerpt: 'thanks',
        request: {
          url: webhook.url,
          headers: expect.objectContaining({ 'webhook-id': delivery.id, 'webhook-signature': '********' }),
        },
      },
    ]);
    const path = `/v1/webhook-deliveries/${delivery.id}`;
    const shown = await call('GET', path, { tenantId });
    expect(shown.body).toEqual(delivery);
    const etag = shown.headers.get('etag') ?? 'none';
    expect((await call('GET', path, { tenantId, headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('arrives with the same bytes after the receiver failed twice', async () => {
    const tenantId = randomUUID();
    const receiver = await receive(statuses(500, 302, 200));
    const webhook = await createWebhook(tenantId, receiver.url, { secret: 'a secret of the tenant itself' });
    await service.publisher.publish([surveyCreated(tenantId)]);
    const delivery = await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'delivered');
    expect(delivery.attempts.map((attempt: { status_code: number }) => attempt.status_code)).toEqual([500, 302, 200]);
    expect(delivery.next_attempt_at).toBeUndefined();
    const bodies = receiver.received.map(({ body }) => body.toString());
    expect(new Set(bodies).size).toBe(1);
    const ids = receiver.received.map(({ request }) => request.headers['x-service-delivery']);
    expect(new Set(ids)).toEqual(new Set([delivery.id]));
  });

  it('fails for good after the last retry', async () => {
    const tenantId = randomUUID();
    const receiver = await receive(statuses(500));
    const webhook = await createWebhook(tenantId, receiver.url);
    await service.publisher.publish([surveyCreated(tenantId)]);
    const isOver = (delivery: Shown) => delivery.failure_reason === 'retries_exhausted';
    const delivery = await deliveryOf(tenantId, webhook.id, isOver);
    expect([delivery.status, delivery.attempts.length]).toEqual(['failed', 3]);
    expect(delivery.next_attempt_at).toBeUndefined();
  });

  it('makes one delivery if it is consumed twice', async () => {
    const tenantId = randomUUID();
    const receiver = await receive();
    const webhook = await createWebhook(tenantId, receiver.url);
    const event = surveyCreated(tenantId);
    await service.publisher.publish([event, event]);
    await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'delivered');
    await service.publisher.publish([event, surveyCreated(tenantId)]);
    await poll(() => receiver.received.length >= 2);
    expect((await call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { tenantId })).body).toHaveLength(2);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(receiver.received.length);
  });

  it('goes only to active webhooks that subscribe to it and existed when it occurred', async () => {
    const tenantId = randomUUID();
    const early = surveyCreated(tenantId, randomUUID(), new Date(Date.now() - 5_000));
    const receiver = await receive();
    const wanting = await createWebhook(tenantId, receiver.url);
    const others = [
      await createWebhook(tenantId, receiver.url, { active: false }),
      await createWebhook(tenantId, receiver.url, { event_types: ['survey.closed', 'response.*'] }),
      await createWebhook(randomUUID(), receiver.url),
    ];
    await service.publisher.publish([
      { ...early, key: 'one' },
      { ...surveyCreated(tenantId), key: 'one' },
    ]);
    await deliveryOf(tenantId, wanting.id, ({ status }) => status === 'delivered');
    expect((await call('GET', `/v1/webhooks/${wanting.id}/deliveries`, { tenantId })).body).toHaveLength(1);
    for (const { id, tenant_id } of others) {
      expect((await call('GET', `/v1/webhooks/${id}/deliveries`, { tenantId: tenant_id })).body).toEqual([]);
    }
  });

  it('that cannot be read goes to the dead letters and does not delay later ones', async () => {
    const tenantId = randomUUID();
    const receiver = await receive();
    await createWebhook(tenantId, receiver.url);
    const key = randomUUID();
    await service.publisher.publish([
      { topic: topics.survey, key, value: Buffer.from('no event'), headers: { test: tenantId } },
      { ...surveyCreated(tenantId), key },
    ]);
    await poll(() => receiver.received[0]);
    const [letter] = await createTestKafka().readTopic(deadLetterTopic(topics.survey), 1);
    expect(letter).toMatchObject({ key, headers: { dead_letter_topic: topics.survey } });
  });

  it('disables a webhook that replies with 410, with the reason, and stores its later deliveries unsent', async () => {
    const tenantId = randomUUID();
    const receiver = await receive(statuses(410));
    const webhook = await createWebhook(tenantId, receiver.url);
    await service.publisher.publish([surveyCreated(tenantId)]);
    const delivery = await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'failed');
    expect(delivery).toMatchObject({ failure_reason: 'webhook_disabled', attempts: [{ status_code: 410 }] });
    const shown = (await call('GET', `/v1/webhooks/${webhook.id}`, { tenantId })).body;
    expect(shown).toMatchObject({ active: false, disabled_reason: 'gone' });
    const auditEvent = (await readAuditEvents(tenantId, 2)).find(({ action }) => action === 'webhook.disabled');
    expect(auditEvent).toMatchObject({ actor: 'webhook', resource_id: webhook.id });
    expect(auditEvent?.['changes']).toEqual(
      expect.arrayContaining([
        { path: '/active', before: true, after: false },
        { path: '/disabled_reason', after: 'gone' },
      ]),
    );
    const other = await receive();
    const second = await createWebhook(tenantId, other.url);
    await service.publisher.publish([surveyCreated(tenantId)]);
    await deliveryOf(tenantId, second.id, ({ status }) => status === 'delivered');
    expect((await call('GET', `/v1/webhooks/${second.id}`, { tenantId })).body).not.toHaveProperty('disabled_reason');
    const { body } = await call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { tenantId });
    expect(body).toMatchObject([
      { event_type: 'survey.created', status: 'failed', failure_reason: 'webhook_disabled', attempts: [] },
      { id: delivery.id },
    ]);
    expect(body[0]).not.toHaveProperty('next_attempt_at');
    expect(receiver.received).toHaveLength(1);
  });

  it('is tried again at the new address when the old one replies with 410 after the webhook was changed', async () => {
    const tenantId = randomUUID();
    const changed = Promise.withResolvers<void>();
    const gone = await receive((response) => {
      response.statusCode = 410;
      void changed.promise.then(() => response.end());
    });
    const moved = await receive();
    const webhook = await createWebhook(tenantId, gone.url);
    await service.publisher.publish([surveyCreated(tenantId)]);
    await poll(() => gone.received.length === 1);
    const body = { url: moved.url };
    expect((await call('PATCH', `/v1/webhooks/${webhook.id}`, { tenantId, body })).status).toBe(200);
    changed.resolve();
    const delivery = await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'delivered');
    expect(delivery.attempts).toMatchObject([{ status_code: 410 }, { status_code: 200 }]);
    expect((await call('GET', `/v1/webhooks/${webhook.id}`, { tenantId })).body.active).toBe(true);
    expect([gone.received.length, moved.received.length]).toEqual([1, 1]);
  });

  it('is not sent to a webhook that was deleted before its retry', async () => {
    const tenantId = randomUUID();
    const replying = Promise.withResolvers<void>();
    const receiver = await receive((response) => {
      response.statusCode = 500;
      void replying.promise.then(() => response.end());
    });
    const webhook = await createWebhook(tenantId, receiver.url);
    await service.publisher.publish([surveyCreated(tenantId)]);
    const { id } = await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'pending');
    await poll(() => receiver.received.length === 1);
    expect((await call('DELETE', `/v1/webhooks/${webhook.id}`, { tenantId })).status).toBe(204);
    replying.resolve();
    const delivery = await poll(async () => {
      const { body } = await call('GET', `/v1/webhook-deliveries/${id}`, { tenantId });
      return body.failure_reason === undefined ? undefined : body;
    });
    expect(delivery).toMatchObject({ status: 'failed', failure_reason: 'webhook_deleted' });
    expect([delivery.attempts.length, receiver.received.length]).toEqual([1, 1]);
    expect((await call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { tenantId })).status).toBe(404);
  });
});

describe('the metrics', () => {
  it('count attempts, connections and deliveries, and show running and waiting ones', async () => {
    const [tenantId, failing] = [randomUUID(), randomUUID()];
    const [receiver, rejecting] = [await receive(), await receive(statuses(500))];
    const webhook = await createWebhook(tenantId, receiver.url);
    const rejected = await createWebhook(failing, rejecting.url);
    await service.publisher.publish([surveyCreated(tenantId), surveyCreated(failing)]);
    await deliveryOf(tenantId, webhook.id, ({ status }) => status === 'delivered');
    // This attempt uses the kept connection.
    await service.publisher.publish([surveyCreated(tenantId)]);
    await poll(() => receiver.received.length === 2);
    await deliveryOf(failing, rejected.id, ({ failure_reason: reason }) => reason === 'retries_exhausted');
    const page = await (await fetch(`http://127.0.0.1:${service.ports.adminPort}/metrics`)).text();
    for (const outcome of ['delivered', 'bad_status'])
      expect(page).toMatch(new RegExp(`^webhook_attempts_total\\{outcome="${outcome}"\\} [1-9]`, 'm'));
    for (const outcome of ['delivered', 'failed'])
      expect(page).toMatch(new RegExp(`^webhook_delivery_delay_seconds_count\\{outcome="${outcome}"\\} [1-9]`, 'm'));
    for (const use of ['new', 'kept'])
      expect(page).toMatch(new RegExp(`^webhook_connections_total\\{use="${use}"\\} [1-9]`, 'm'));
    for (const lane of ['fresh', 'retry', 'slow'])
      expect(page).toMatch(new RegExp(`^webhook_attempts_running\\{lane="${lane}"\\} \\d`, 'm'));
    for (const state of ['open', 'half_open'])
      expect(page).toMatch(new RegExp(`^webhook_breakers\\{state="${state}"\\} \\d`, 'm'));
    expect(page).toMatch(/^webhook_duplicates_suppressed_total \d/m);
    expect(page).toMatch(/^webhook_deliveries_due \d/m);
    expect(page).toMatch(/^webhook_oldest_due_seconds \d/m);
  });
});
