import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TakeTurn } from './attempt.ts';
import { type Delivery, makeDelivery, type Settlement } from './delivery.ts';
import { createDeliveryStore, type DeliveryDocument, deliveryIndexes } from './delivery-store.ts';
import { createDeliveryWorker, type DeliveryWorker } from './delivery-worker.ts';

let database: TestDatabase;
let store: ReturnType<typeof createDeliveryStore>;
const workers: DeliveryWorker[] = [];
const tenantId = toTenantId(randomUUID());

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { deliveries: deliveryIndexes });
  store = createDeliveryStore(database.db.collection<DeliveryDocument>('deliveries'));
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await database.db.collection('deliveries').deleteMany({});
});

afterAll(() => database.drop());

async function storeDelivery(webhookId: string): Promise<Delivery> {
  const time = new Date();
  const event = { id: randomUUID(), type: 'survey.created', tenantId, time, data: {}, traceparent: '' };
  const delivery = makeDelivery(event, webhookId, time);
  await store.insertNew([delivery]);
  return delivery;
}

let leasesLost = 0;

function startWorker(takeTurn: TakeTurn, leaseMs = 60_000): DeliveryWorker {
  const worker = createDeliveryWorker({
    queue: store,
    takeTurn,
    metrics: {
      attempted: () => undefined,
      delivered: () => undefined,
      leaseLost: () => {
        leasesLost += 1;
      },
    },
    clock: () => new Date(),
    newId: randomUUID,
    leaseMs,
    log: testLog,
  });
  worker.start();
  workers.push(worker);
  return worker;
}

function delivered({ attempts }: Delivery, statusCode = 200): Extract<Settlement, { status: 'delivered' }> {
  const rest = { durationMs: 1, contentType: undefined, responseExcerpt: '', error: undefined };
  return { status: 'delivered', attempt: { number: attempts.length + 1, startedAt: new Date(), statusCode, ...rest } };
}

const statusOf = async ({ id }: Delivery) => (await store.find(tenantId, id))?.status;

describe('a delivery', () => {
  it('is taken by one of several workers', async () => {
    const turns: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      startWorker(async (delivery) => {
        turns.push(delivery.id);
        return delivered(delivery);
      });
    }
    const stored = await Promise.all(Array.from({ length: 30 }, () => storeDelivery(randomUUID())));
    await poll(async () => (await Promise.all(stored.map(statusOf))).every((status) => status === 'delivered'));
    expect(turns.sort()).toEqual(stored.map(({ id }) => id).sort());
  });

  it('of a worker that is lost is delivered by another when the lease ends, and the late result is refused', async () => {
    const late = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    startWorker(async (delivery) => {
      first.resolve();
      await late.promise;
      return delivered(delivery, 299);
    }, 300);
    const delivery = await storeDelivery(randomUUID());
    await first.promise;
    // As good as dead: it takes nothing more, and does not give back what it has.
    const [lost] = workers.splice(0);
    const stopping = lost?.stop();
    startWorker(async (again) => delivered(again, 200));
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    const before = leasesLost;
    late.resolve();
    await stopping;
    expect(leasesLost).toBe(before + 1);
    expect((await store.find(tenantId, delivery.id))?.attempts.map(({ statusCode }) => statusCode)).toEqual([200]);
  });

  it('that is retried keeps its time, and is not taken before', async () => {
    const nextAttemptAt = new Date(Date.now() + 500);
    const times: number[] = [];
    startWorker(async (delivery) => {
      times.push(Date.now());
      const settlement = delivered(delivery);
      return times.length === 1 ? { ...settlement, status: 'failed', nextAttemptAt } : settlement;
    });
    const delivery = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(delivery)) === 'failed');
    expect((await store.find(tenantId, delivery.id))?.nextAttemptAt).toEqual(nextAttemptAt);
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    expect(times[1]).toBeGreaterThanOrEqual(nextAttemptAt.getTime());
    expect((await store.find(tenantId, delivery.id))?.attempts.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('whose turn fails on our side comes again after the lease and counts no attempt', async () => {
    let turns = 0;
    startWorker(async (delivery) => {
      turns += 1;
      if (turns === 1) throw new Error('the database is away');
      return delivered(delivery);
    }, 200);
    const delivery = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(delivery)) === 'delivered');
    expect((await store.find(tenantId, delivery.id))?.attempts).toHaveLength(1);
  });
});

describe('a worker', () => {
  it('has four attempts of a webhook at a time and goes on with those of others', async () => {
    const hanging = randomUUID();
    const release = Promise.withResolvers<void>();
    let running = 0;
    startWorker(async (delivery) => {
      if (delivery.webhookId === hanging) {
        running += 1;
        await release.promise;
      }
      return delivered(delivery);
    });
    const held = await Promise.all(Array.from({ length: 300 }, () => storeDelivery(hanging)));
    const other = await storeDelivery(randomUUID());
    await poll(async () => (await statusOf(other)) === 'delivered');
    expect(running).toBe(4);
    release.resolve();
    await poll(async () => (await Promise.all(held.map(statusOf))).every((status) => status === 'delivered'));
  });

  it('that stops finishes what ends soon', async () => {
    const began = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const worker = startWorker(async (delivery) => {
      began.resolve();
      await release.promise;
      return delivered(delivery);
    });
    const delivery = await storeDelivery(randomUUID());
    await began.promise;
    const stopping = worker.stop();
    release.resolve();
    await stopping;
    expect(await statusOf(delivery)).toBe('delivered');
  });

  it('that stops hands back what does not end, at once and uncounted', async () => {
    const began = Promise.withResolvers<void>();
    const worker = startWorker(async (_delivery, stop) => {
      began.resolve();
      await new Promise((resolve) => stop.addEventListener('abort', resolve));
      return undefined;
    });
    const delivery = await storeDelivery(randomUUID());
    await began.promise;
    await worker.stop();
    expect(await store.findDue({ now: new Date(), except: [], limit: 1 })).toMatchObject([{ id: delivery.id }]);
    expect(await store.find(tenantId, delivery.id)).toMatchObject({ status: 'pending', attempts: [] });
  });
});

describe('the backlog', () => {
  it('is how many wait, and for how long the oldest has', async () => {
    const now = new Date();
    expect(await store.measure(now)).toEqual({ count: 0, oldestSeconds: 0 });
    const { createdAt } = await storeDelivery(randomUUID());
    await storeDelivery(randomUUID());
    const { count, oldestSeconds } = await store.measure(new Date(createdAt.getTime() + 60_000));
    expect(count).toBe(2);
    expect(oldestSeconds).toBe(60);
  });
});
