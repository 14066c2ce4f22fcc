import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase } from '@survey/runtime/testing/test-database';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTenant } from '../testing/at-work.ts';
import type { Respond } from '../testing/receiver.ts';
import { missedDeliveries, NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { responseEvent, startTestService, surveyCreated, type TestService } from '../testing/test-service.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { createDeliveryStore } from './delivery-store.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
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

const deliveries = () => service.db.collection<DeliveryDocument>('deliveries');
const bytesOf = async (id: string) => Buffer.from(BSON.serialize((await deliveries().findOne({ _id: id })) ?? {}));
const echo: Respond = (response) => response.writeHead(200, { 'content-type': 'text/echo' }).end('between us');

describe('the reply of a receiver', () => {
  it('is stored encrypted, also its content type, and erased when the response is deleted', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ event_types: ['response.submitted'] });
      const other = randomUUID();
      const responseId = randomUUID();
      await service.publisher.publish(
        [responseId, other].map((one) => responseEvent(tenant.tenantId, 'response.submitted', { responseId: one })),
      );
      const sent: { id: string; payload: { data: { response_id: string } }; attempts: unknown[] }[] =
        await tenant.deliveriesTo(id, 2);
      for (const { id: deliveryId, attempts } of sent) {
        expect(attempts[0]).toMatchObject({ response_excerpt: 'between us', content_type: 'text/echo' });
        const bytes = await bytesOf(deliveryId);
        expect([bytes.includes('between us'), bytes.includes('text/echo')]).toEqual([false, false]);
      }
      await service.publisher.publish([
        responseEvent(tenant.tenantId, 'response.deleted', { responseId, revision: 2 }),
      ]);
      const of = (response: string) => sent.find(({ payload }) => payload.data.response_id === response)?.id ?? '';
      const erased = await poll(async () => {
        const stored = await deliveries().findOne({ _id: of(responseId) });
        return stored?.attempts[0]?.reply === undefined && stored;
      });
      expect(erased.attempts).toMatchObject([{ number: 1, status_code: 200 }]);
      const shown = await tenant.call('GET', `webhook-deliveries/${of(responseId)}`);
      expect(shown.body.attempts[0]).not.toHaveProperty('response_excerpt');
      const kept = await tenant.call('GET', `webhook-deliveries/${of(other)}`);
      expect(kept.body.attempts[0]).toMatchObject({ response_excerpt: 'between us' });
      // The reply to a redelivery is not stored either.
      await tenant.call('POST', `webhook-deliveries/${of(responseId)}/redeliver`);
      const again = await poll(async () => {
        const stored = await deliveries().findOne({ _id: of(responseId), 'attempts.number': 2 });
        return stored ?? undefined;
      });
      expect(again.attempts).toMatchObject([{ status_code: 200 }, { status_code: 200 }]);
      expect(again.attempts[1]).not.toHaveProperty('reply');
    }, echo));

  it('is not stored if it arrives after the response was deleted', () => {
    const released = Promise.withResolvers<void>();
    return withTenant(
      async (tenant) => {
        const { id } = await tenant.createWebhook({ event_types: ['response.submitted'] });
        const responseId = randomUUID();
        await service.publisher.publish([responseEvent(tenant.tenantId, 'response.submitted', { responseId })]);
        await poll(() => tenant.receiver.received.length === 1);
        await service.publisher.publish([
          responseEvent(tenant.tenantId, 'response.deleted', { responseId, revision: 2 }),
        ]);
        await poll(() => deliveries().findOne({ response_id: responseId, response_deleted: true }));
        released.resolve();
        const [{ attempts }] = await tenant.deliveriesTo(id, 1);
        expect(attempts).toHaveLength(1);
        expect(attempts[0]).toMatchObject({ number: 1, status_code: 200 });
        expect(attempts[0]).not.toHaveProperty('response_excerpt');
      },
      (response, nth) => void released.promise.then(() => echo(response, nth)),
    );
  });

  it('is erased for an event that came in one batch with the deletion of its response', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ event_types: ['response.submitted', 'response.deleted'] });
      const responseId = randomUUID();
      await service.publisher.publish([
        responseEvent(tenant.tenantId, 'response.submitted', { responseId }),
        responseEvent(tenant.tenantId, 'response.deleted', { responseId, revision: 2 }),
      ]);
      await tenant.deliveriesTo(id, 2);
      const ofResponse = { response_id: responseId };
      await poll(async () => (await deliveries().countDocuments({ ...ofResponse, response_deleted: true })) === 2);
      const stored = await deliveries().find(ofResponse).toArray();
      for (const { attempts } of stored) {
        expect(attempts).toMatchObject([{ number: 1, status_code: 200 }]);
        expect(attempts[0]).not.toHaveProperty('reply');
      }
    }, echo));

  it('is never stored for the deletion of a response', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ event_types: ['response.deleted'] });
      await service.publisher.publish([responseEvent(tenant.tenantId, 'response.deleted', { revision: 2 })]);
      const [delivery] = await tenant.deliveriesTo(id, 1);
      expect(delivery.attempts[0]).toMatchObject({ number: 1, status_code: 200 });
      expect(delivery.attempts[0]).not.toHaveProperty('response_excerpt');
    }, echo));

  it('is not stored in a delivery of the previous release about a response, because it could not be erased', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook({ event_types: ['response.submitted'] });
      await service.publisher.publish([responseEvent(tenant.tenantId, 'response.submitted')]);
      const [delivery] = await tenant.deliveriesTo(id, 1);
      await deliveries().updateOne({ _id: delivery.id }, { $unset: { response_id: '' } });
      await tenant.call('POST', `webhook-deliveries/${delivery.id}/redeliver`);
      const stored = await poll(() => deliveries().findOne({ _id: delivery.id, 'attempts.number': 2 }));
      expect(stored.attempts[1]).not.toHaveProperty('reply');
    }, echo));

  it('does not open in another attempt or delivery', () =>
    withTenant(async (tenant) => {
      const { id } = await tenant.createWebhook();
      await service.publisher.publish([surveyCreated(tenant.tenantId), surveyCreated(tenant.tenantId)]);
      const [one, other] = await tenant.deliveriesTo(id, 2);
      const reply = (await deliveries().findOne({ _id: one.id }))?.attempts[0]?.reply;
      if (reply === undefined) throw new Error('there is none');
      const show = async (deliveryId: string) => (await tenant.call('GET', `webhook-deliveries/${deliveryId}`)).status;
      await deliveries().updateOne({ _id: one.id }, { $set: { 'attempts.0.number': 2 } });
      await deliveries().updateOne({ _id: other.id }, { $set: { 'attempts.0.reply': reply } });
      expect([await show(one.id), await show(other.id)]).toEqual([500, 500]);
    }, echo));
});

describe('replies that the previous release stored without encryption', () => {
  it('are removed by the set-up, with their content types', async () => {
    const database = await createTestDatabase();
    const collection = database.db.collection<DeliveryDocument>('deliveries');
    const tenantId = randomUUID();
    const made = missedDeliveries(
      tenantId,
      randomUUID(),
      Array.from({ length: 502 }, () => new Date()),
    );
    await createDeliveryStore(collection).insertNew(made, NOTHING_RESERVED);
    const attempt = {
      number: 1,
      trigger: 'schedule',
      started_at: new Date(),
      duration_ms: 1,
      status_code: 200,
    } as const;
    const plain = { ...attempt, content_type: 'text/echo', response_excerpt: 'between us' };
    await collection.updateMany({}, { $set: { attempts: [plain, { ...plain, number: 2 }] } });
    const started = await startTestService({ mongodbDatabase: database.db.databaseName });
    try {
      expect(await collection.countDocuments({ attempts: [attempt, { ...attempt, number: 2 }] })).toBe(502);
      const index = await collection.find().hint('plaintext_replies').toArray();
      expect(index).toEqual([]);
    } finally {
      await started.close();
      await database.drop();
    }
  });
});
