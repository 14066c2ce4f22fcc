import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTenant } from '../testing/at-work.ts';
import { NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { startTestService, surveyCreated } from '../testing/test-service.ts';
import type { WebhookDocument } from '../webhooks/webhook-store.ts';
import { makeDelivery, type SendStep } from './delivery.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { createDeliveryBacklog } from './delivery-metrics.ts';
import { createDeliveryStore, deliveryIndexes } from './delivery-store.ts';
import { type ReceiverHealth, UNKNOWN_HEALTH } from './receiver-health.ts';
import { createWebhookStateStore } from './webhook-state-store.ts';

const NOW = Date.UTC(2030, 0, 1);
const PROBE_MS = 60_000;
const tenantId = toTenantId(randomUUID());

let database: TestDatabase;
let store: ReturnType<typeof createDeliveryStore>;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { deliveries: deliveryIndexes });
  store = createDeliveryStore(deliveries());
});

afterEach(async () => {
  await deliveries().deleteMany({});
});

afterAll(() => database.drop());

const deliveries = () => database.db.collection<DeliveryDocument>('deliveries');
const webhooks = () => database.db.collection<WebhookDocument>('webhooks');

/** Stores deliveries of a webhook that have been due for this many seconds. */
async function storeDue(webhookId: string, { count, seconds }: { count: number; seconds: number }) {
  const time = new Date(NOW - seconds * 1000);
  const made = Array.from({ length: count }, () => {
    const event = { id: randomUUID(), type: 'survey.created', tenantId, time, data: {}, traceparent: '' };
    return makeDelivery(event, webhookId, time);
  });
  await store.insertNew(made, NOTHING_RESERVED);
}

/** Stores a webhook whose breaker stays open for this many seconds. */
async function makeBroken({ seconds, revision = 1 }: { seconds: number; revision?: number }): Promise<string> {
  const id = randomUUID();
  const breaker = { until: new Date(NOW + seconds * 1000), pause_ms: 60_000, revision: 1 };
  await webhooks().insertOne({ _id: id, tenant_id: tenantId, revision, breaker } as WebhookDocument);
  return id;
}

/** Measures the backlog in a process with these running attempts. */
function measure(
  health: Readonly<Record<string, Partial<ReceiverHealth>>> = {},
  running: Partial<Record<SendStep, number>> = {},
) {
  const { fresh = 0, retry = 0 } = running;
  const backlog = createDeliveryBacklog({
    deliveries: store,
    webhooks: createWebhookStateStore(webhooks()),
    health: { of: (webhookId) => ({ ...UNKNOWN_HEALTH, ...health[webhookId] }) },
    scheduler: { running: () => ({ all: fresh + retry, retries: retry }) },
    probeMs: PROBE_MS,
  });
  return backlog.measure(new Date(NOW));
}

describe('the backlog', () => {
  it('has the number of waiting deliveries, and the age of the oldest', async () => {
    expect(await measure()).toEqual({ count: 0, oldestSeconds: 0 });
    await storeDue(randomUUID(), { count: 1, seconds: 60 });
    await storeDue(randomUUID(), { count: 2, seconds: 1 });
    await storeDue(randomUUID(), { count: 1, seconds: -1 });
    expect(await measure()).toEqual({ count: 3, oldestSeconds: 60 });
  });

  it('excludes deliveries behind an open breaker, new ones and retries', async () => {
    await storeDue(randomUUID(), { count: 4, seconds: 3 });
    const broken = await makeBroken({ seconds: 30 });
    await storeDue(broken, { count: 20, seconds: 3_000 });
    await deliveries().updateMany({ webhook_id: broken }, { $set: { lane: 'retry' } });
    await storeDue(broken, { count: 20, seconds: 2_000 });
    expect(await measure()).toEqual({ count: 4, oldestSeconds: 3 });
  });

  it('includes deliveries that wait for answers, but not behind a breaker', async () => {
    const broken = await makeBroken({ seconds: 30 });
    await storeDue(broken, { count: 5, seconds: 3_000 });
    await storeDue(randomUUID(), { count: 5, seconds: 300 });
    await deliveries().updateMany({}, { $set: { lane: 'answers' } });
    expect(await measure()).toEqual({ count: 5, oldestSeconds: 300 });
  });

  it('excludes webhooks that are being probed, and includes unprobed and changed ones', async () => {
    await storeDue(await makeBroken({ seconds: -50 }), { count: 1, seconds: 400 });
    expect(await measure()).toEqual({ count: 0, oldestSeconds: 0 });
    await storeDue(await makeBroken({ seconds: -70 }), { count: 2, seconds: 200 });
    await storeDue(await makeBroken({ seconds: 30, revision: 2 }), { count: 4, seconds: 100 });
    expect(await measure()).toEqual({ count: 6, oldestSeconds: 200 });
  });

  it('excludes failing and slow webhooks without free concurrency, and includes healthy ones', async () => {
    const id = randomUUID();
    await storeDue(id, { count: 7, seconds: 900 });
    const all = { count: 7, oldestSeconds: 900 };
    const none = { count: 0, oldestSeconds: 0 };
    expect(await measure({ [id]: { concurrency: 1, failureScore: 2 } }, { fresh: 1 })).toEqual(none);
    expect(await measure({ [id]: { concurrency: 4, latency: 'slow' } }, { fresh: 2, retry: 2 })).toEqual(none);
    // The webhook has free concurrency, or it is healthy.
    expect(await measure({ [id]: { concurrency: 1, failureScore: 2 } })).toEqual(all);
    expect(await measure({ [id]: { concurrency: 4, latency: 'slow' } }, { fresh: 3 })).toEqual(all);
    expect(await measure({ [id]: { concurrency: 4 } }, { fresh: 4 })).toEqual(all);
  });

  it('excludes retries of a slow webhook that use their half of its concurrency', async () => {
    const id = randomUUID();
    await storeDue(id, { count: 3, seconds: 900 });
    await deliveries().updateMany({}, { $set: { lane: 'retry' } });
    await storeDue(id, { count: 2, seconds: 9 });
    const slow = { [id]: { concurrency: 4, latency: 'slow' } } as const;
    expect(await measure(slow, { retry: 2 })).toEqual({ count: 2, oldestSeconds: 9 });
  });

  it('is counted in the index, skipping excluded deliveries', async () => {
    const broken = await makeBroken({ seconds: 30 });
    await storeDue(broken, { count: 3_000, seconds: 300 });
    await storeDue(randomUUID(), { count: 20, seconds: 3 });
    await database.db.command({ profile: 2 });
    expect(await measure()).toEqual({ count: 20, oldestSeconds: 3 });
    await database.db.command({ profile: 0 });
    const reads = await database.db.collection('system.profile').find({ 'command.aggregate': 'deliveries' }).toArray();
    expect(reads).toHaveLength(4);
    for (const { docsExamined, keysExamined } of reads) {
      expect(docsExamined).toBe(0);
      expect(keysExamined).toBeLessThan(50);
    }
  });
});

describe('the metrics', () => {
  it('show no backlog while a receiver without replies gets many events', async () => {
    const service = await startTestService({ timeoutMs: 300 });
    const tenant = await startTenant(service, () => {});
    try {
      const { id } = await tenant.createWebhook();
      const pending = { webhook_id: id, status: 'pending' } as const;
      const countPending = () => service.db.collection<DeliveryDocument>('deliveries').countDocuments(pending);
      const numbers = async () => {
        const page = await (await fetch(`http://127.0.0.1:${service.ports.adminPort}/metrics`)).text();
        const numberOf = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(page)?.[1]);
        return ['webhook_deliveries_due', 'webhook_oldest_due_seconds'].map(numberOf);
      };
      await poll(async () => {
        await service.publisher.publish([surveyCreated(tenant.tenantId)]);
        return (await countPending()) >= 30;
      });
      await poll(async () => {
        const [due, oldest] = await numbers();
        return due === 0 && oldest === 0 && (await countPending()) >= 30;
      });
    } finally {
      await tenant.close();
      await service.close();
    }
  });
});
