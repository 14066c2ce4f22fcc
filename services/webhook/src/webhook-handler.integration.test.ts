import { createHmac, randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryDocument } from './deliveries/delivery-document.ts';
import { createDeliveryStore } from './deliveries/delivery-store.ts';
import { startTenant } from './testing/at-work.ts';
import { startReceiver } from './testing/receiver.ts';
import { minutesAgo, missedDeliveries, NOTHING_RESERVED } from './testing/test-deliveries.ts';
import { responseEvent, startTestService, surveyCreated, type TestService } from './testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type Tenant = Awaited<ReturnType<typeof startTenant>>;

/** Runs a test with a new tenant, and closes its receiver afterwards. */
async function withTenant(run: (tenant: Tenant) => Promise<void>, respond?: Parameters<typeof startTenant>[1]) {
  const tenant = await startTenant(service, respond);
  try {
    await run(tenant);
  } finally {
    await tenant.close();
  }
}

describe('an attempt', () => {
  it('shows URL and headers of its request, without secrets and signatures', () =>
    withTenant(async ({ call, createWebhook, receiver }) => {
      const secret = 'a-token-of-the-receiver';
      const { id, url, secret: key } = await createWebhook({ headers: { 'X-Api-Token': secret } });
      const { body } = await call('POST', `webhooks/${id}/test`);
      const [sent] = receiver.received;
      const { request } = body.attempts[0];
      expect(request).toEqual({
        url,
        headers: {
          'X-Api-Token': '********',
          'Content-Type': 'application/json',
          'User-Agent': 'Survey-Webhook/1.0',
          'Accept-Encoding': 'identity',
          'X-Service-Signature': '********',
          'X-Service-Delivery': body.id,
          'webhook-id': body.id,
          'webhook-timestamp': sent?.request.headers['webhook-timestamp'],
          'webhook-signature': '********',
        },
      });
      expect(sent?.request.headers).toMatchObject({ 'x-api-token': secret, 'webhook-id': body.id });
      const shown = Object.keys(request.headers).map((name) => name.toLowerCase());
      const { host: _, connection: __, traceparent: ___, ...others } = sent?.request.headers ?? {};
      expect(Object.keys(others).filter((name) => !shown.includes(name))).toEqual(['content-length']);
      const stored = await service.db.collection('deliveries').findOne({ _id: body.id });
      for (const text of [JSON.stringify(body), JSON.stringify(stored)]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(key);
      }
      await call('PATCH', `webhooks/${id}`, { body: { url: `${url}?moved` } });
      expect((await call('GET', `webhook-deliveries/${body.id}`)).body.attempts[0].request).toEqual(request);
    }));
});

describe('a change of a webhook', () => {
  it('keeps members that it does not name, and is audited', () =>
    withTenant(async ({ tenantId, call, addSurvey, createWebhook }) => {
      const { secret: _, ...made } = await createWebhook({ description: 'mine', survey_ids: [addSurvey()] });
      const changed = await call('PATCH', `webhooks/${made.id}`, { body: { event_types: ['survey.*'] } });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).toBe('"2"');
      expect(changed.body).toEqual({ ...made, event_types: ['survey.*'], updated_at: expect.any(String) });
      expect((await call('GET', `webhooks/${made.id}`)).body).toEqual(changed.body);
      const [, audited] = await readAuditEvents(tenantId, 2);
      expect(audited).toMatchObject({ action: 'webhook.updated', actor: 'user-1' });
      expect(JSON.stringify(audited?.['changes'])).toContain('/event_types');
    }));

  it('that changes nothing keeps the revision', () =>
    withTenant(async ({ call, createWebhook }) => {
      const { id, url } = await createWebhook({ headers: { Authorization: 'Bearer a' } });
      for (const body of [{}, { url, headers: { Authorization: 'Bearer a' } }, { headers: { 'X-None': null } }]) {
        expect((await call('PATCH', `webhooks/${id}`, { body })).headers.get('etag')).toBe('"1"');
      }
    }));

  it('clears members that are null', () =>
    withTenant(async ({ call, addSurvey, createWebhook }) => {
      const more = { description: 'mine', survey_ids: [addSurvey()], headers: { 'X-A': 'a' }, include_answers: true };
      const { id } = await createWebhook({ ...more, active: false });
      const nothing = { description: null, survey_ids: null, headers: null, include_answers: null, active: null };
      const { body } = await call('PATCH', `webhooks/${id}`, { body: nothing });
      expect(body).toMatchObject({
        description: '',
        survey_ids: [],
        headers: {},
        include_answers: false,
        active: true,
      });
    }));

  it('is made only at the revision in If-Match', () =>
    withTenant(async ({ call, createWebhook }) => {
      const { id } = await createWebhook();
      const change = (tag: string, description: string) =>
        call('PATCH', `webhooks/${id}`, { body: { description }, headers: { 'if-match': tag } });
      expect((await change('"1"', 'a')).status).toBe(200);
      expect((await change('"1"', 'b')).body.code).toBe('PRECONDITION_FAILED');
    }));

  it.each([
    ['no URL', { url: null }, '/url', 'WEBHOOK_URL_REFUSED'],
    ['an empty URL', { url: '' }, '/url', 'VALIDATION_FAILED'],
    ['a private address', { url: 'https://10.0.0.1/' }, '/url', 'WEBHOOK_URL_REFUSED'],
    ['another notation of one', { url: 'https://[::ffff:7f00:2]/' }, '/url', 'WEBHOOK_URL_REFUSED'],
    ['no types', { event_types: [] }, '/event_types', 'VALIDATION_FAILED'],
    ['null for types', { event_types: null }, '/event_types', 'VALIDATION_FAILED'],
    ['unknown types', { event_types: ['survey.*', 'nope'] }, '/event_types/1', 'VALIDATION_FAILED'],
    ['an invalid survey id', { survey_ids: ['mine'] }, '/survey_ids/0', 'VALIDATION_FAILED'],
    ['a header of the connection', { headers: { Host: 'a' } }, '/headers/Host', 'VALIDATION_FAILED'],
  ])('is rejected with %s', (_case, body, path, code) =>
    withTenant(async ({ call, createWebhook }) => {
      const { id } = await createWebhook();
      const rejected = await call('PATCH', `webhooks/${id}`, { body });
      expect([rejected.status, rejected.body.code, rejected.body.errors[0].path]).toEqual([422, code, path]);
      expect((await call('GET', `webhooks/${id}`)).headers.get('etag')).toBe('"1"');
    }),
  );

  it('of another tenant finds nothing', () =>
    withTenant(async ({ createWebhook }) => {
      const { id } = await createWebhook();
      const foreign = { tenantId: randomUUID(), body: { description: 'a' } };
      for (const [method, path] of [
        ['PATCH', ''],
        ['POST', '/rotate-secret'],
        ['POST', '/test'],
      ] as const) {
        const reply = await service.call(method, `/v1/webhooks/${id}${path}`, {
          ...foreign,
          ...(method === 'POST' ? { body: {} } : {}),
        });
        expect(reply.body.code).toBe('WEBHOOK_NOT_FOUND');
      }
    }));

  it('to active clears disabled_reason, and deliveries continue', () =>
    withTenant(
      async ({ tenantId, call, createWebhook, deliveriesTo, receiver }) => {
        const { id } = await createWebhook({ event_types: ['survey.*'] });
        await service.publisher.publish([surveyCreated(tenantId)]);
        await deliveriesTo(id, 1, 'failed');
        expect((await call('GET', `webhooks/${id}`)).body).toMatchObject({ active: false, disabled_reason: 'gone' });
        const { body } = await call('PATCH', `webhooks/${id}`, { body: { active: true } });
        expect(body.active).toBe(true);
        expect(body).not.toHaveProperty('disabled_reason');
        await service.publisher.publish([surveyCreated(tenantId)]);
        await expect.poll(() => receiver.received.length).toBe(2);
      },
      (response, nth) => {
        response.statusCode = nth === 1 ? 410 : 200;
        response.end();
      },
    ));
});

describe('a change of a webhook that the platform disabled', () => {
  it('to inactive clears disabled_reason, so that nothing is kept any more', () =>
    withTenant(
      async ({ tenantId, call, createWebhook, deliveriesTo }) => {
        const { id } = await createWebhook({ event_types: ['survey.*'] });
        await service.publisher.publish([surveyCreated(tenantId)]);
        await deliveriesTo(id, 1, 'failed');
        const described = await call('PATCH', `webhooks/${id}`, { body: { description: 'gone' } });
        expect(described.body).toMatchObject({ active: false, disabled_reason: 'gone' });
        const { body } = await call('PATCH', `webhooks/${id}`, { body: { active: false } });
        expect(body.active).toBe(false);
        expect(body).not.toHaveProperty('disabled_reason');
        const other = await createWebhook({ event_types: ['survey.*'] });
        await service.publisher.publish([surveyCreated(tenantId)]);
        await deliveriesTo(other.id, 1);
        await deliveriesTo(id, 1, 'failed');
      },
      (response, nth) => {
        response.statusCode = nth === 1 ? 410 : 200;
        response.end();
      },
    ));
});

describe('the survey_ids of a webhook', () => {
  it('select events of these surveys, and events without a survey', () =>
    withTenant(async ({ tenantId, addSurvey, createWebhook, deliveriesTo }) => {
      const [wanted, other] = [addSurvey(), randomUUID()];
      const all = await createWebhook();
      const { id } = await createWebhook({ survey_ids: [wanted.toUpperCase()] });
      await service.publisher.publish([
        surveyCreated(tenantId, other),
        surveyCreated(tenantId, wanted),
        responseEvent(tenantId, 'response.submitted', { surveyId: other }),
        responseEvent(tenantId, 'response.submitted', { surveyId: wanted }),
      ]);
      await deliveriesTo(all.id, 4);
      const delivered = await deliveriesTo(id, 2);
      const surveys = delivered.map((one: { payload: { data: { survey_id: string } } }) => one.payload.data.survey_id);
      expect(surveys).toEqual([wanted, wanted]);
    }));

  it('must be surveys of the tenant: each other id is reported', () =>
    withTenant(async ({ call, addSurvey, createWebhook, receiver }) => {
      const [known, foreign, unknown] = [addSurvey(), randomUUID(), randomUUID()];
      service.surveys.tenants.set(foreign, randomUUID());
      const body = { url: receiver.url, event_types: ['*'], survey_ids: [foreign, known, unknown] };
      const rejected = ['/survey_ids/0', '/survey_ids/2'].map((path) => ({
        path,
        code: 'UNKNOWN_SURVEY',
        detail: 'There is no survey with this id',
      }));
      const created = await call('POST', 'webhooks', { body });
      expect([created.status, created.body.code, created.body.errors]).toEqual([422, 'VALIDATION_FAILED', rejected]);
      expect((await call('GET', 'webhooks')).body).toEqual([]);

      const { id } = await createWebhook({ survey_ids: [known] });
      const changed = await call('PATCH', `webhooks/${id}`, { body: { survey_ids: body.survey_ids } });
      expect([changed.status, changed.body.code, changed.body.errors]).toEqual([422, 'VALIDATION_FAILED', rejected]);
      expect((await call('GET', `webhooks/${id}`)).headers.get('etag')).toBe('"1"');
    }));

  it('stay when a survey is deleted, and select events of the others', () =>
    withTenant(async ({ tenantId, call, addSurvey, createWebhook, deliveriesTo }) => {
      const [deleted, kept, added] = [addSurvey(), addSurvey(), addSurvey()];
      const { id } = await createWebhook({ survey_ids: [deleted, kept] });
      service.surveys.tenants.delete(deleted);
      const changes = [{ description: 'new' }, { survey_ids: [deleted, kept, added] }];
      for (const body of changes) expect((await call('PATCH', `webhooks/${id}`, { body })).status).toBe(200);
      await service.publisher.publish([surveyCreated(tenantId, kept), surveyCreated(tenantId, added)]);
      await deliveriesTo(id, 2);
    }));

  it('cannot be added while the survey service is down; other changes work', () =>
    withTenant(async ({ call, addSurvey, createWebhook, receiver }) => {
      const [before, added] = [addSurvey(), addSurvey()];
      const { id } = await createWebhook({ survey_ids: [before] });
      const body = { url: receiver.url, event_types: ['*'], survey_ids: [added] };
      await service.surveys.stop();
      try {
        const created = await call('POST', 'webhooks', { body });
        expect([created.status, created.body.code]).toEqual([503, 'UNAVAILABLE']);
        const changed = await call('PATCH', `webhooks/${id}`, { body: { survey_ids: [before, added] } });
        expect([changed.status, changed.body.code]).toEqual([503, 'UNAVAILABLE']);
        expect((await call('GET', 'webhooks')).body).toMatchObject([{ id, survey_ids: [before] }]);
        const others = [{ survey_ids: [before], description: 'new' }, { survey_ids: [] }];
        for (const change of others) expect((await call('PATCH', `webhooks/${id}`, { body: change })).status).toBe(200);
        await createWebhook();
      } finally {
        await service.surveys.start();
      }
      await expect.poll(async () => (await call('POST', 'webhooks', { body })).status).toBe(201);
    }));
});

describe('the headers of a webhook', () => {
  it('are sent, shown as asterisks, and stored and audited without their values', () =>
    withTenant(async ({ tenantId, call, createWebhook, receiver, deliveriesTo }) => {
      const token = `Bearer ${randomUUID()}`;
      const made = await createWebhook({ headers: { Authorization: token, 'X-Team': 'lunch' } });
      expect(made.headers).toEqual({ Authorization: '********', 'X-Team': '********' });
      expect((await call('GET', 'webhooks')).body[0].headers).toEqual(made.headers);
      await service.publisher.publish([surveyCreated(tenantId)]);
      await deliveriesTo(made.id, 1);
      expect(receiver.received[0]?.request.headers).toMatchObject({ authorization: token, 'x-team': 'lunch' });
      const stored = await service.db.collection('webhooks').findOne({ tenant_id: tenantId });
      expect(JSON.stringify([stored, await readAuditEvents(tenantId, 1)])).not.toContain(token);
    }));

  it('are changed one by one, without regard to the case of names', () =>
    withTenant(async ({ tenantId, call, createWebhook, receiver, deliveriesTo }) => {
      const { id } = await createWebhook({ headers: { 'X-A': 'a', 'X-B': 'b', 'X-C': 'c' } });
      const patch = { headers: { 'x-a': 'new', 'X-B': null, 'X-D': 'd' } };
      const { body } = await call('PATCH', `webhooks/${id}`, { body: patch });
      expect(Object.keys(body.headers).sort()).toEqual(['X-C', 'X-D', 'x-a']);
      await service.publisher.publish([surveyCreated(tenantId)]);
      await deliveriesTo(id, 1);
      const { headers } = receiver.received[0]?.request ?? { headers: {} };
      expect(headers).toMatchObject({ 'x-a': 'new', 'x-c': 'c', 'x-d': 'd' });
      expect(headers).not.toHaveProperty('x-b');
    }));

  it('keep their values if sent back as read', () =>
    withTenant(async ({ tenantId, call, createWebhook, receiver, deliveriesTo }) => {
      const { id } = await createWebhook({ headers: { 'X-A': 'a', 'X-B': 'b' } });
      const { body: read } = await call('GET', `webhooks/${id}`);
      const same = await call('PATCH', `webhooks/${id}`, { body: { headers: read.headers } });
      expect([same.status, same.headers.get('etag'), same.body]).toEqual([200, '"1"', read]);
      const { 'X-B': hidden } = read.headers;
      const changed = await call('PATCH', `webhooks/${id}`, { body: { headers: { 'X-A': 'new', 'x-b': hidden } } });
      expect(changed.body.headers).toEqual({ 'X-A': hidden, 'X-B': hidden });
      await service.publisher.publish([surveyCreated(tenantId)]);
      await deliveriesTo(id, 1);
      expect(receiver.received[0]?.request.headers).toMatchObject({ 'x-a': 'new', 'x-b': 'b' });
    }));

  it('cannot have hidden values without a stored value', () =>
    withTenant(async ({ call, createWebhook }) => {
      const headers = { 'X-A': '********' };
      const { id } = await createWebhook();
      for (const rejected of [
        await call('POST', 'webhooks', { body: { url: 'https://1.1.1.1/', event_types: ['*'], headers } }),
        await call('PATCH', `webhooks/${id}`, { body: { headers } }),
      ]) {
        expect([rejected.status, rejected.body.code]).toEqual([422, 'VALIDATION_FAILED']);
        expect(rejected.body.errors).toMatchObject([{ path: '/headers/X-A', code: 'HIDDEN_HEADER_VALUE' }]);
      }
      expect((await call('GET', 'webhooks')).body).toHaveLength(1);
    }));

  it('must be sent again or removed when scheme, host or port changes', () =>
    withTenant(async ({ tenantId, call, createWebhook, receiver, deliveriesTo }) => {
      const { id, url, secret } = await createWebhook({ headers: { 'X-A': 'a', 'X-B': 'b' } });
      const other = await startReceiver();
      try {
        const change = (body: object) => call('PATCH', `webhooks/${id}`, { body });
        const problem = (name: string) => ({ path: `/headers/${name}`, code: 'HIDDEN_HEADER_VALUE' });
        const moved = { url: other.url };
        for (const [body, names] of [
          [moved, ['X-A', 'X-B']],
          [{ ...moved, headers: { 'X-A': '********', 'X-B': '********' } }, ['X-A', 'X-B']],
          [{ ...moved, headers: { 'x-a': '********', 'X-B': null } }, ['x-a']],
          [{ ...moved, headers: { 'X-A': 'a' } }, ['X-B']],
          [{ url: url.replace('http:', 'https:') }, ['X-A', 'X-B']],
        ] as const) {
          const rejected = await change(body);
          expect([rejected.status, rejected.body.code]).toEqual([422, 'VALIDATION_FAILED']);
          expect(rejected.body.errors).toMatchObject(names.map(problem));
        }
        expect((await change({ url: `${url}&b=2` })).status).toBe(200);
        expect((await change({ url, headers: { 'X-A': '********' } })).status).toBe(200);
        const accepted = await change({ ...moved, headers: { 'X-A': 'new', 'X-B': null } });
        expect([accepted.status, accepted.body.headers]).toEqual([200, { 'X-A': '********' }]);
        expect(accepted.body).not.toHaveProperty('secret');
        await service.publisher.publish([surveyCreated(tenantId)]);
        await deliveriesTo(id, 1);
        const [sent] = other.received;
        const signature = createHmac('sha256', secret)
          .update(sent?.body ?? '')
          .digest('hex');
        expect(sent?.request.headers).toMatchObject({ 'x-a': 'new', 'x-service-signature': `sha256=${signature}` });
        expect(sent?.request.headers).not.toHaveProperty('x-b');
        expect(receiver.received).toEqual([]);
        // Without headers, all are removed.
        expect((await change({ url, headers: null })).body.headers).toEqual({});
      } finally {
        await other.close();
      }
    }));

  it('are not sent to another origin by redeliveries and replays', () =>
    withTenant(async ({ tenantId, call, createWebhook, receiver, deliveriesTo }) => {
      const { id } = await createWebhook({ headers: { 'X-A': 'a' } });
      await service.publisher.publish([surveyCreated(tenantId)]);
      const [{ id: deliveryId }] = await deliveriesTo(id, 1);
      const other = await startReceiver();
      try {
        // The previous release kept values when it moved a webhook.
        const webhooks = service.db.collection<{ _id: string }>('webhooks');
        await webhooks.updateOne({ _id: id }, { $set: { url: other.url }, $inc: { revision: 1 } });
        await call('POST', `webhook-deliveries/${deliveryId}/redeliver`);
        await poll(() => other.received.length === 1);
        await deliveriesTo(id, 1);
        await call('POST', `webhooks/${id}/replay`, { body: { statuses: ['delivered'] } });
        await poll(() => other.received.length === 2);
        for (const { request } of other.received) expect(request.headers).not.toHaveProperty('x-a');
        await deliveriesTo(id, 1);
        const { attempts } = (await call('GET', `webhook-deliveries/${deliveryId}`)).body;
        const names = attempts.map(({ request }: { request: { headers: object } }) => 'X-A' in request.headers);
        expect(names).toEqual([true, false, false]);
        expect(receiver.received).toHaveLength(1);
        await webhooks.updateOne({ _id: id }, { $set: { url: receiver.url }, $inc: { revision: 1 } });
        await call('POST', `webhook-deliveries/${deliveryId}/redeliver`);
        await poll(() => receiver.received.length === 2);
        expect(receiver.received[1]?.request.headers).toMatchObject({ 'x-a': 'a' });
      } finally {
        await other.close();
      }
    }));

  it('are at most twenty, even if added one by one', () =>
    withTenant(async ({ call, createWebhook }) => {
      const names = Array.from({ length: 20 }, (_, index) => [`X-${index}`, 'a']);
      const { id } = await createWebhook({ headers: Object.fromEntries(names) });
      const rejected = await call('PATCH', `webhooks/${id}`, { body: { headers: { 'X-20': 'a' } } });
      expect([rejected.status, rejected.body.errors[0].code]).toEqual([422, 'TOO_MANY_HEADERS']);
      const swapped = await call('PATCH', `webhooks/${id}`, { body: { headers: { 'X-20': 'a', 'X-0': null } } });
      expect(swapped.status).toBe(200);
    }));
});

describe('a webhook that has included answers', () => {
  const permissions = ['webhooks:read', 'webhooks:write'];

  /** A webhook that got answers, which are stored in its delivery. */
  async function createAnswered({ tenantId, createWebhook, deliveriesTo }: Tenant) {
    const { id } = await createWebhook({ include_answers: true });
    const responseId = randomUUID();
    service.responses.stored.set(responseId, { tenantId, revision: 1, data: { q1: 'between us' } });
    await service.publisher.publish([responseEvent(tenantId, 'response.submitted', { responseId })]);
    const [{ id: deliveryId }] = await deliveriesTo(id, 1);
    return { id, deliveryId };
  }

  it('cannot be moved to another URL by a caller without permission to read responses', () =>
    withTenant(async (tenant) => {
      const { call, receiver, deliveriesTo } = tenant;
      const { id, deliveryId } = await createAnswered(tenant);
      const thief = await startReceiver();
      try {
        const statuses: number[] = [];
        for (const body of [
          { include_answers: false, url: thief.url },
          { include_answers: false },
          { url: thief.url },
          { headers: { 'X-Forward-To': thief.url } },
          { active: false },
          { active: true, url: thief.url },
        ])
          statuses.push((await call('PATCH', `webhooks/${id}`, { body, permissions })).status);
        expect(statuses).toEqual([403, 200, 403, 403, 200, 403]);
        await call('PATCH', `webhooks/${id}`, { body: { active: true } });
        expect((await call('POST', `webhook-deliveries/${deliveryId}/redeliver`, { permissions })).status).toBe(202);
        await poll(() => receiver.received.length === 2);
        await deliveriesTo(id, 1);
        const body = { statuses: ['delivered'] };
        expect((await call('POST', `webhooks/${id}/replay`, { body, permissions })).status).toBe(202);
        await poll(() => receiver.received.length === 3);
        for (const received of receiver.received) expect(received.body.toString()).toContain('between us');
        expect(thief.received).toEqual([]);
      } finally {
        await thief.close();
      }
    }));

  it('can be moved with the permission to read responses, and changed otherwise without', () =>
    withTenant(async (tenant) => {
      const { call } = tenant;
      const { id } = await createAnswered(tenant);
      const change = async (body: object, more = {}) =>
        (await call('PATCH', `webhooks/${id}`, { body, ...more })).status;
      expect(await change({ include_answers: false, url: 'https://1.1.1.1/' })).toBe(200);
      expect(await change({ description: 'old', event_types: ['survey.*'], survey_ids: [] }, { permissions })).toBe(
        200,
      );
      expect(await change({ url: 'https://1.1.1.1/' }, { permissions })).toBe(200);
      expect((await call('POST', `webhooks/${id}/rotate-secret`, { body: {}, permissions })).status).toBe(200);
    }));

  it('is recognised also if an older version stored it', () =>
    withTenant(async ({ call, createWebhook }) => {
      const { id } = await createWebhook({ include_answers: true });
      const webhooks = service.db.collection<{ _id: string }>('webhooks');
      await webhooks.updateOne({ _id: id }, { $unset: { has_included_answers: '' } });
      const change = async (body: object) => (await call('PATCH', `webhooks/${id}`, { body, permissions })).status;
      expect(await change({ include_answers: false })).toBe(200);
      expect(await change({ url: 'https://1.1.1.1/' })).toBe(403);
    }));
});

describe('the deliveries of a webhook', () => {
  it('are listed from since (inclusive) to until (exclusive)', () =>
    withTenant(async ({ tenantId, call, createWebhook }) => {
      const { id } = await createWebhook();
      const times = [minutesAgo(4), minutesAgo(3), minutesAgo(2), minutesAgo(1)];
      const deliveries = service.db.collection<DeliveryDocument>('deliveries');
      await createDeliveryStore(deliveries).insertNew(missedDeliveries(tenantId, id, times), NOTHING_RESERVED);
      const [first, second, third, fourth] = times.map((time) => time.toISOString());
      const listed = async (query: string) => {
        const { body } = await call('GET', `webhooks/${id}/deliveries?${query}`);
        return body.map((delivery: { created_at: string }) => delivery.created_at);
      };
      expect(await listed(`since=${second}&until=${fourth}`)).toEqual([third, second]);
      expect(await listed(`since=${third}`)).toEqual([fourth, third]);
      expect(await listed(`until=${second}`)).toEqual([first]);
      expect(await listed(`since=${second}&until=${second}`)).toEqual([]);
      expect((await call('GET', `webhooks/${id}/deliveries?since=yesterday`)).status).toBe(400);
    }));

  it('are listed if they failed for good, or if they are retried', () =>
    withTenant(async ({ tenantId, call, createWebhook }) => {
      const { id } = await createWebhook();
      const failed = missedDeliveries(tenantId, id, [minutesAgo(2)]);
      const retried = missedDeliveries(tenantId, id, [minutesAgo(1)]).map((delivery) => ({
        ...delivery,
        failureReason: undefined,
        nextAttemptAt: minutesAgo(-60),
      }));
      const deliveries = service.db.collection<DeliveryDocument>('deliveries');
      await createDeliveryStore(deliveries).insertNew([...failed, ...retried], NOTHING_RESERVED);
      const listed = async (query: string) => {
        const { body } = await call('GET', `webhooks/${id}/deliveries?${query}`);
        return body.map((delivery: { id: string }) => delivery.id);
      };
      expect(await listed('status=failed')).toEqual([...retried, ...failed].map((delivery) => delivery.id));
      expect(await listed('failed_for_good=true')).toEqual(failed.map((delivery) => delivery.id));
      expect(await listed('retrying=true')).toEqual(retried.map((delivery) => delivery.id));
    }));
});

describe('the number of webhooks', () => {
  it('of a tenant is at most 100, and a repeated creation does not count', () =>
    withTenant(async ({ tenantId, call, createWebhook }) => {
      const headers = { 'idempotency-key': randomUUID() };
      const create = () => call('POST', 'webhooks', { body: { url: 'https://1.1.1.1/', event_types: ['*'] }, headers });
      const { id } = (await create()).body;
      const webhooks = service.db.collection<{ _id: string; slot: number }>('webhooks');
      const { _id, ...first } = (await webhooks.findOne({ _id: id })) ?? { _id: '', slot: 0 };
      const others = Array.from({ length: 100 }, (_, slot) => ({ ...first, _id: randomUUID(), slot, outbox: [] }));
      await webhooks.insertMany(others.filter(({ slot }) => slot !== first.slot));
      const rejected = await call('POST', 'webhooks', { body: { url: 'https://1.1.1.1/', event_types: ['*'] } });
      expect([rejected.status, rejected.body.code]).toEqual([409, 'STATE_CONFLICT']);
      await service.db.collection('idempotency_keys').updateOne({ tenant_id: tenantId }, { $set: { answer: null } });
      expect((await create()).body.id).toBe(id);
      expect((await call('DELETE', `webhooks/${id}`)).status).toBe(204);
      await createWebhook();
    }));

  it('of a tenant is exactly 100 when many more are created at the same time', () =>
    withTenant(async ({ call }) => {
      const create = () => call('POST', 'webhooks', { body: { url: 'https://1.1.1.1/', event_types: ['*'] } });
      const statuses: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const replies = await Promise.all(Array.from({ length: 24 }, create));
        statuses.push(...replies.map(({ status }) => status));
      }
      expect(statuses.filter((status) => status === 201)).toHaveLength(100);
      expect(statuses.filter((status) => status === 409)).toHaveLength(20);
      expect((await call('GET', 'webhooks?limit=1000')).body).toHaveLength(100);
    }));
});

describe('event types', () => {
  it('are listed with a schema and an example each', () =>
    withTenant(async ({ call }) => {
      const { status, body } = await call('GET', 'webhook-event-types');
      expect(status).toBe(200);
      expect(body).toHaveLength(16);
      const submitted = body.find(({ name }: { name: string }) => name === 'response.submitted');
      expect(submitted).toMatchObject({
        description: expect.any(String),
        schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
        example: { api_version: 'v1', event: 'response.submitted', data: { status: 'completed' } },
      });
    }));
});
