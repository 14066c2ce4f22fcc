import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError } from '@survey/runtime/errors/app-error';
import { poll } from '@survey/runtime/testing/poll';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTenant } from '../testing/at-work.ts';
import { type Respond, statuses } from '../testing/receiver.ts';
import { responseEvent, startTestService, surveyCreated, type TestService } from '../testing/test-service.ts';
import type { DeliveryDocument } from './delivery-document.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  service.responses.before = async () => {};
  service.responses.limit = 100;
});
afterAll(() => service.close());

type Tenant = Awaited<ReturnType<typeof startTenant>>;

async function withTenant(run: (tenant: Tenant) => Promise<void>, respond?: Respond) {
  const tenant = await startTenant(service, respond);
  try {
    await run(tenant);
  } finally {
    await tenant.close();
  }
}

/** Adds a response to the fake response service. */
function addResponse(
  { tenantId }: Tenant,
  data = { q1: 'between us', q2: [1, 2.5], q3: { row: 'Zoë 😀' } },
  revision = 1,
  metadata?: JsonObject,
) {
  const responseId = randomUUID();
  service.responses.stored.set(responseId, { tenantId, revision, data, ...(metadata && { metadata }) });
  return { responseId, data };
}

const submitted = ({ tenantId }: Tenant, responseId?: string) =>
  service.publisher.publish([
    responseEvent(tenantId, 'response.submitted', responseId === undefined ? {} : { responseId }),
  ]);

const deleted = ({ tenantId }: Tenant, responseId: string) =>
  service.publisher.publish([responseEvent(tenantId, 'response.deleted', { responseId, revision: 2 })]);

const deliveries = () => service.db.collection<DeliveryDocument>('deliveries');
const storedOf = (id: string) => deliveries().findOne({ _id: id });

/** Fails like the response service if it cannot read one of the responses. */
function breakResponse(responseId: string): void {
  service.responses.before = async (ids) => {
    if (ids.includes(responseId)) throw new AppError('INTERNAL');
  };
}

describe('answers', () => {
  it('go to those webhooks that ask for them, and are stored encrypted', () =>
    withTenant(async (tenant) => {
      const asking = await tenant.createWebhook({ include_answers: true });
      const other = await tenant.createWebhook();
      const { responseId, data } = addResponse(tenant, undefined, 3);
      await submitted(tenant, responseId);
      const [delivery] = await tenant.deliveriesTo(asking.id, 1);
      expect(delivery.payload.data).toMatchObject({ response_id: responseId, answers: data, revision: 1 });
      const [plain] = await tenant.deliveriesTo(other.id, 1);
      expect(Object.keys(plain.payload.data)).not.toEqual(expect.arrayContaining(['answers']));
      const received = tenant.receiver.received.find(({ body }) => body.toString().includes('between us'));
      if (received === undefined) throw new Error('no answers were received');
      // A header that occurs once is a string.
      const headers = received.request.headers as Record<string, string>;
      expect(new Webhook(asking.secret).verify(received.body, headers)).toEqual(delivery.payload);
      const stored = await storedOf(delivery.id);
      const bytes = Buffer.concat([Buffer.from(JSON.stringify(stored)), stored?.body.value() ?? Buffer.of()]);
      expect(bytes.includes('between us')).toBe(false);
      expect(stored).not.toHaveProperty('awaits_answers');
    }));

  it('stay the same in all attempts, even if the response changes', () =>
    withTenant(
      async (tenant) => {
        const { id } = await tenant.createWebhook({ include_answers: true });
        const { responseId } = addResponse(tenant);
        const sent = poll(() => tenant.receiver.received[0]);
        await submitted(tenant, responseId);
        await sent;
        service.responses.stored.delete(responseId);
        await tenant.deliveriesTo(id, 1);
        const bodies = tenant.receiver.received.map(({ body }) => body.toString());
        expect([bodies.length, new Set(bodies).size]).toEqual([3, 1]);
        expect(bodies[0]).toContain('between us');
      },
      statuses(500, 500, 200),
    ));

  it('of a deleted response are null', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      await submitted(tenant);
      const [{ payload }] = await tenant.deliveriesTo(id, 1);
      expect(payload.data).toMatchObject({ answers: null, revision: 1 });
    }));

  it('are null in later attempts, and in the API, when the response was deleted after the first', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true, event_types: ['response.submitted'] });
      const { responseId } = addResponse(tenant, undefined, 1, { campaign: 'spring' });
      await submitted(tenant, responseId);
      const [{ id: deliveryId, payload }] = await tenant.deliveriesTo(id, 1);
      expect(payload.data).toMatchObject({ answers: { q1: 'between us' }, metadata: { campaign: 'spring' } });
      await deleted(tenant, responseId);
      await poll(() => deliveries().findOne({ _id: deliveryId, response_deleted: true }));
      const { metadata: _, ...others } = payload.data;
      const without = { ...payload, data: { ...others, answers: null } };
      expect((await tenant.call('GET', `webhook-deliveries/${deliveryId}`)).body.payload).toEqual(without);
      expect((await tenant.call('POST', `webhook-deliveries/${deliveryId}/redeliver`)).status).toBe(202);
      const again = await poll(() => tenant.receiver.received[1]);
      expect(JSON.parse(again.body.toString())).toEqual(without);
    }));

  it('of a response that was deleted while its delivery waited are null, also while its service is down', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true, event_types: ['response.submitted'] });
      const { responseId } = addResponse(tenant);
      service.responses.before = () => Promise.reject(new AppError('UNAVAILABLE'));
      await submitted(tenant, responseId);
      await poll(() => service.responses.asked.flat().includes(responseId));
      await deleted(tenant, responseId);
      const [{ payload }] = await tenant.deliveriesTo(id, 1);
      expect(payload.data).toMatchObject({ response_id: responseId, answers: null });
    }));

  it('are read only for as many deliveries as the receiver has capacity for', () =>
    withTenant(
      async (tenant) => {
        const webhook = await tenant.createWebhook({ include_answers: true });
        const responses = Array.from({ length: 60 }, () => addResponse(tenant).responseId);
        await service.publisher.publish(
          responses.map((responseId) => responseEvent(tenant.tenantId, 'response.submitted', { responseId })),
        );
        await poll(() => tenant.receiver.received.length > 0);
        await withTenant(async (other) => {
          const { id } = await other.createWebhook({ include_answers: true });
          await submitted(other, addResponse(other).responseId);
          await other.deliveriesTo(id, 1);
        });
        const asked = new Set(service.responses.asked.flat());
        expect(responses.filter((id) => asked.has(id)).length).toBeLessThan(30);
        await tenant.call('DELETE', `webhooks/${webhook.id}`);
        const waiting = { webhook_id: webhook.id, awaits_answers: true, status: 'pending' } as const;
        await poll(async () => (await deliveries().countDocuments(waiting)) === 0);
      },
      // The receiver never replies.
      () => undefined,
    ));

  it('are not requested for events without answers', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const before = service.responses.asked.length;
      await service.publisher.publish([
        surveyCreated(tenant.tenantId),
        responseEvent(tenant.tenantId, 'response.deleted'),
      ]);
      for (const { payload } of await tenant.deliveriesTo(id, 2)) expect(payload.data).not.toHaveProperty('answers');
      expect(service.responses.asked).toHaveLength(before);
    }));

  it('are shown only with the permission to read responses, even if the receiver repeats them', () =>
    withTenant(
      async (tenant) => {
        const { id } = await tenant.createWebhook({ include_answers: true });
        const { responseId } = addResponse(tenant);
        await submitted(tenant, responseId);
        const [delivery] = await tenant.deliveriesTo(id, 1);
        expect(delivery.attempts[0].response_excerpt).toBe('between us');
        const permissions = ['webhooks:read', 'webhooks:write'];
        const shown = (await tenant.call('GET', `webhook-deliveries/${delivery.id}`, { permissions })).body;
        const listed = (await tenant.call('GET', `webhooks/${id}/deliveries`, { permissions })).body;
        for (const { payload, attempts } of [shown, listed[0]]) {
          expect(payload.data).not.toHaveProperty('answers');
          expect(payload.data).toMatchObject({ response_id: responseId, revision: 1 });
          expect(attempts[0]).toMatchObject({ number: 1, status_code: 200 });
          expect(attempts[0]).not.toHaveProperty('response_excerpt');
        }
      },
      (response) => response.end('between us'),
    ));

  it('can be sent only with the permission to read responses', () =>
    withTenant(async (tenant) => {
      const permissions = ['webhooks:read', 'webhooks:write'];
      const body = { url: 'https://1.1.1.1/', event_types: ['*'], include_answers: true };
      const rejected = await tenant.call('POST', 'webhooks', { body, permissions });
      expect([rejected.status, rejected.body.detail]).toEqual([403, "Permission 'responses:read' required"]);
      const { id } = await tenant.createWebhook();
      const change = (patch: object, as?: string[]) =>
        tenant.call('PATCH', `webhooks/${id}`, { body: patch, ...(as === undefined ? {} : { permissions: as }) });
      expect((await change({ include_answers: true }, permissions)).status).toBe(403);
      expect((await change({ include_answers: true })).status).toBe(200);
      for (const more of [
        { url: 'https://1.1.1.1/' },
        { event_types: ['response.*'] },
        { survey_ids: [randomUUID()] },
        { headers: { 'X-A': 'a' } },
      ]) {
        expect((await change(more, permissions)).status, JSON.stringify(more)).toBe(403);
      }
      expect((await change({ active: false, description: 'off' }, permissions)).status).toBe(200);
      expect((await change({ active: true }, permissions)).status).toBe(403);
      const url = 'https://1.1.1.1/';
      expect((await change({ include_answers: false, url }, permissions)).status).toBe(403);
      expect((await change({ include_answers: false }, permissions)).status).toBe(200);
      expect((await change({ url }, permissions)).status).toBe(403);
      expect((await change({ url })).status).toBe(200);
    }));

  it('are not sent if the webhook no longer includes them', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const { responseId } = addResponse(tenant);
      service.responses.before = () => Promise.reject(new AppError('UNAVAILABLE'));
      await submitted(tenant, responseId);
      await poll(() => service.responses.asked.flat().includes(responseId));
      await tenant.call('PATCH', `webhooks/${id}`, { body: { include_answers: false } });
      service.responses.before = async () => {};
      const [{ payload }] = await tenant.deliveriesTo(id, 1);
      expect(payload.data).not.toHaveProperty('answers');
    }));
});

describe('answers while the response service', () => {
  it('is down: only webhooks with answers wait, without an attempt', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const other = await tenant.createWebhook({ event_types: ['response.*'] });
      const { responseId } = addResponse(tenant);
      service.responses.before = () => Promise.reject(new AppError('UNAVAILABLE'));
      await submitted(tenant, responseId);
      await service.publisher.publish([surveyCreated(tenant.tenantId)]);
      await tenant.deliveriesTo(other.id, 1);
      // The two events are in different topics, so either can come first.
      type Listed = { event_type: string; status: string };
      const ofType = (all: readonly Listed[], type: string) => all.find(({ event_type }) => event_type === type);
      const waiting = await poll(async () => {
        const { body } = await tenant.call('GET', `webhooks/${id}/deliveries`);
        const count = service.responses.asked.filter((ids) => ids.includes(responseId)).length;
        const isOtherSent = ofType(body, 'survey.created')?.status === 'delivered';
        return isOtherSent && count >= 2 ? ofType(body, 'response.submitted') : undefined;
      });
      expect(waiting).toMatchObject({ status: 'pending', attempts: [] });
      service.responses.before = async () => {};
      expect(ofType(await tenant.deliveriesTo(id, 2), 'response.submitted')).toMatchObject({
        attempts: [{ number: 1 }],
        payload: { data: { answers: { q1: 'between us' } } },
      });
    }));

  it('does not reply: other deliveries are sent', () =>
    withTenant(async (tenant) => {
      const mute = Promise.withResolvers<void>();
      service.responses.before = () => mute.promise;
      const { id } = await tenant.createWebhook({ include_answers: true });
      const { responseId } = addResponse(tenant);
      await submitted(tenant, responseId);
      await poll(() => service.responses.asked.flat().includes(responseId));
      await service.publisher.publish([surveyCreated(tenant.tenantId)]);
      const pending = () => tenant.call('GET', `webhooks/${id}/deliveries?status=pending`);
      await poll(async () => tenant.receiver.received.length === 1 && (await pending()).body.length === 1);
      mute.resolve();
      await tenant.deliveriesTo(id, 2);
    }));

  it('cannot read one response: only its delivery waits', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const responses = Array.from({ length: 5 }, () => addResponse(tenant));
      const broken = responses[2]?.responseId ?? '';
      breakResponse(broken);
      const key = 'one';
      const events = responses.map(({ responseId }) =>
        responseEvent(tenant.tenantId, 'response.submitted', { responseId }),
      );
      await service.publisher.publish(events.map((event) => ({ ...event, key })));
      await poll(() => tenant.receiver.received.length === 4);
      // A delivery is settled after the receiver gets it.
      const pending = await poll(async () => {
        const { body } = await tenant.call('GET', `webhooks/${id}/deliveries?status=pending`);
        return body.length === 1 ? body : undefined;
      });
      expect(pending.map((one: { payload: { data: object } }) => one.payload.data)).toMatchObject([
        { response_id: broken },
      ]);
      service.responses.before = async () => {};
      await tenant.deliveriesTo(id, 5);
    }));

  it('cannot read one response: the pauses between reads grow', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const { responseId } = addResponse(tenant);
      breakResponse(responseId);
      await submitted(tenant, responseId);
      const [delivery] = await tenant.deliveriesTo(id, 1, 'pending');
      const timesIs = (times: number) =>
        poll(async () => {
          const stored = await storedOf(delivery.id);
          return stored?.times_unreadable === times && stored.claim === undefined ? stored : undefined;
        });
      await timesIs(2);
      await deliveries().updateOne({ _id: delivery.id }, { $set: { times_unreadable: 8, due_at: new Date() } });
      const { due_at } = await timesIs(9);
      expect(Number(due_at)).toBeGreaterThan(Date.now() + 200_000);
      expect(Number(due_at)).toBeLessThan(Date.now() + 600_000);
    }));

  it('cannot read one response for a day: its delivery fails, and can be sent again', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const { responseId } = addResponse(tenant);
      breakResponse(responseId);
      await submitted(tenant, responseId);
      const [{ id: deliveryId }] = await tenant.deliveriesTo(id, 1, 'pending');
      await poll(async () => {
        const soon = { times_unreadable: 149, due_at: new Date() };
        const waiting = { _id: deliveryId, due_at: { $exists: true }, claim: { $exists: false } };
        await deliveries().updateOne(waiting, { $set: soon });
        return (await storedOf(deliveryId))?.status === 'failed';
      });
      const [failed] = await tenant.deliveriesTo(id, 1, 'failed');
      expect(failed).toMatchObject({ failure_reason: 'answers_unreadable', attempts: [] });
      expect(failed).not.toHaveProperty('next_attempt_at');
      const stored = await storedOf(deliveryId);
      expect([stored?.due_at, stored?.times_unreadable]).toEqual([undefined, undefined]);

      service.responses.before = async () => {};
      expect((await tenant.call('POST', `webhook-deliveries/${deliveryId}/redeliver`)).status).toBe(202);
      const [again] = await tenant.deliveriesTo(id, 1);
      expect(again.payload.data.answers).toMatchObject({ q1: 'between us' });
    }));

  it('is down: this does not count as a failed read', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      const { responseId } = addResponse(tenant);
      service.responses.before = () => Promise.reject(new AppError('UNAVAILABLE'));
      await submitted(tenant, responseId);
      const [delivery] = await tenant.deliveriesTo(id, 1, 'pending');
      const isHandedBack = (since: Date) => async () => {
        const stored = await storedOf(delivery.id);
        return stored?.claim === undefined && Number(stored?.due_at) > Number(since) ? stored : undefined;
      };
      await poll(isHandedBack(new Date(delivery.created_at)));
      // One more failed read would end the delivery.
      const soon = { times_unreadable: 149, due_at: new Date() };
      await deliveries().updateOne({ _id: delivery.id }, { $set: soon });
      expect(await poll(isHandedBack(soon.due_at))).toMatchObject({ status: 'pending', times_unreadable: 149 });
      service.responses.before = async () => {};
      await tenant.deliveriesTo(id, 1);
    }));

  it('has many answers of one tenant: another tenant does not wait for all of them', () =>
    withTenant((tenant) =>
      withTenant(async (other) => {
        const gate = Promise.withResolvers<void>();
        const first = service.responses.asked.length;
        service.responses.before = () => gate.promise;
        const busy = await tenant.createWebhook({ include_answers: true });
        const quiet = await other.createWebhook({ include_answers: true });
        const many = Array.from({ length: 300 }, () =>
          responseEvent(tenant.tenantId, 'response.submitted', { responseId: addResponse(tenant).responseId }),
        );
        await service.publisher.publish(many);
        const pendingOf = ({ id }: { id: string }) =>
          deliveries().countDocuments({ webhook_id: id, status: 'pending' });
        await poll(async () => (await pendingOf(busy)) === 300);
        const { responseId } = addResponse(other);
        await submitted(other, responseId);
        await poll(async () => (await pendingOf(quiet)) === 1);
        gate.resolve();
        await poll(async () => (await pendingOf(quiet)) + (await pendingOf(busy)) === 0);
        const asked = service.responses.asked.slice(first);
        const callIndex = asked.findIndex((ids) => ids.includes(responseId));
        // At most two calls for the busy tenant came before.
        expect(callIndex).toBeGreaterThanOrEqual(0);
        expect(callIndex).toBeLessThanOrEqual(2);
        expect(asked.length).toBeGreaterThan(3);
      }),
    ));

  it('postpones some answers: the rest is requested again', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ include_answers: true });
      service.responses.limit = 1;
      const responses = Array.from({ length: 4 }, () => addResponse(tenant));
      const events = responses.map(({ responseId }) =>
        responseEvent(tenant.tenantId, 'response.updated', { responseId }),
      );
      await service.publisher.publish(events);
      const delivered = await tenant.deliveriesTo(id, 4);
      const stored = await deliveries()
        .find({ webhook_id: id, times_unreadable: { $exists: true } })
        .toArray();
      expect(stored).toEqual([]);
      for (const { payload } of delivered) expect(payload.data.answers).toMatchObject({ q1: 'between us' });
    }));

  it('is down: a webhook that is disabled or deleted meanwhile gets nothing', () =>
    withTenant(async (tenant) => {
      service.responses.before = () => Promise.reject(new AppError('UNAVAILABLE'));
      const [off, deleted] = [
        await tenant.createWebhook({ include_answers: true }),
        await tenant.createWebhook({ include_answers: true }),
      ];
      const { responseId } = addResponse(tenant);
      await submitted(tenant, responseId);
      const [gone] = await tenant.deliveriesTo(deleted.id, 1, 'pending');
      await tenant.call('PATCH', `webhooks/${off.id}`, { body: { active: false } });
      await tenant.call('DELETE', `webhooks/${deleted.id}`);
      const [one] = await tenant.deliveriesTo(off.id, 1, 'failed');
      expect(one).toMatchObject({ failure_reason: 'webhook_disabled', attempts: [] });
      const other = await poll(async () => {
        const { body } = await tenant.call('GET', `webhook-deliveries/${gone.id}`);
        return body.status === 'failed' ? body : undefined;
      });
      expect(other).toMatchObject({ failure_reason: 'webhook_deleted', attempts: [] });
      expect(tenant.receiver.received).toHaveLength(0);

      service.responses.before = async () => {};
      await tenant.call('PATCH', `webhooks/${off.id}`, { body: { active: true } });
      expect((await tenant.call('POST', `webhook-deliveries/${one.id}/redeliver`)).status).toBe(202);
      const [again] = await tenant.deliveriesTo(off.id, 1);
      expect(again.payload.data.answers).toMatchObject({ q1: 'between us' });
    }));
});
