import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createLease, type LeaseDocument } from '@survey/runtime/mongo/lease';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryDocument } from '../deliveries/delivery-document.ts';
import { createDeliveryStore, createRedeliveryStore, deliveryIndexes } from '../deliveries/delivery-store.ts';
import { minutesAgo, missedDeliveries, NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { createDeletion } from './expired-store.ts';
import { createRetention, createRetentionModule } from './module.ts';

let database: TestDatabase;
const tenantId = toTenantId(randomUUID());
const HOUR_MS = 60 * 60_000;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { deliveries: deliveryIndexes });
});

afterAll(() => database.drop());

const collection = () => database.db.collection<DeliveryDocument>('deliveries');

describe('retention', () => {
  it('deletes old delivered and failed deliveries in batches, and no pending ones', async () => {
    const webhookId = randomUUID();
    const old = Array.from({ length: 1_203 }, () => minutesAgo(90));
    const made = missedDeliveries(tenantId, webhookId, [...old, minutesAgo(30)]);
    await createDeliveryStore(collection()).insertNew(made, NOTHING_RESERVED);
    const [waiting, delivered] = made;
    if (waiting === undefined || delivered === undefined) throw new Error('there are none');
    await createRedeliveryStore(collection()).sendAgain(waiting, new Date());
    await collection().updateOne({ _id: delivered.id }, { $set: { status: 'delivered' } });
    const leases = database.db.collection<LeaseDocument>('leases');
    const retention = createRetention({
      deletions: [createDeletion(collection())],
      keptMs: HOUR_MS,
      lease: createLease({ collection: leases, name: 'retention', owner: 'me', ttlMs: 10_000 }),
      clock: () => new Date(),
      log: testLog,
    });
    retention.start();
    await poll(async () => (await collection().countDocuments()) === 2);
    await retention.stop();
    const left = await collection()
      .find({}, { sort: { created_at: 1 } })
      .toArray();
    expect(left.map(({ _id }) => _id)).toEqual([waiting.id, made.at(-1)?.id]);
  });

  it('removes replies that a process of the previous release stores without encryption after the set-up', async () => {
    const made = missedDeliveries(tenantId, randomUUID(), [new Date()]);
    const store = createDeliveryStore(collection());
    await store.insertNew(made, NOTHING_RESERVED);
    const id = { _id: made[0]?.id ?? '' };
    const attempt = {
      number: 1,
      trigger: 'schedule',
      started_at: new Date(),
      duration_ms: 1,
      status_code: 200,
    } as const;
    const plain = { ...attempt, content_type: 'text/echo', response_excerpt: 'between us' };
    await collection().updateOne(id, { $set: { attempts: [plain] } });
    const leases = database.db.collection<LeaseDocument>('leases');
    const { stoppedFirst } = createRetentionModule(
      {
        collection: (name) => database.db.collection(name),
        lease: (name) => createLease({ collection: leases, name, owner: 'other', ttlMs: 10_000 }),
        log: testLog,
        clock: () => new Date(),
      },
      { config: { retentionDays: 30 }, deliveries: store },
    );
    for (const poller of stoppedFirst ?? []) poller.start?.();
    try {
      await poll(() => collection().findOne({ ...id, attempts: [attempt] }));
    } finally {
      for (const poller of stoppedFirst ?? []) await poller.stop();
    }
  });

  it('uses an index, skipping pending deliveries', async () => {
    const isOld = { created_at: { $lt: minutesAgo(60) }, due_at: { $exists: false } };
    const plan = await collection().find(isOld).sort({ created_at: 1 }).limit(500).explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('by_age');
  });
});
