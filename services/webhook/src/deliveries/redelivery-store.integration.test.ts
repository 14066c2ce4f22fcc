import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutesAgo, missedDeliveries, NOTHING_RESERVED } from '../testing/test-deliveries.ts';
import { revisionOf } from './delivery.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { createDeliveryStore, createRedeliveryStore } from './delivery-store.ts';

let database: TestDatabase;
const tenantId = toTenantId(randomUUID());

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const collection = () => database.db.collection<DeliveryDocument>('deliveries');
const later = new Date(Date.now() + 3_600_000);
const attempts = [3, 4].map((number) => ({
  number,
  trigger: 'schedule' as const,
  started_at: minutesAgo(1),
  duration_ms: 1,
}));

describe('a delivery', () => {
  it.each<[string, Partial<DeliveryDocument>]>([
    ['is over', {}],
    ['has had attempts', { attempts }],
    ['waits for its next attempt', { attempts, due_at: later, next_attempt_at: later }],
    ['waits for answers', { awaits_answers: true, due_at: later, next_attempt_at: later }],
    ['was sent again before', { attempts, redeliveries: 2 }],
  ])('that %s is sent again at the revision that it has, and at no other', async (_case, fields) => {
    const [made] = missedDeliveries(tenantId, randomUUID(), [minutesAgo(2)]);
    if (made === undefined) throw new Error('there is none');
    const deliveries = createDeliveryStore(collection());
    await deliveries.insertNew([made], NOTHING_RESERVED);
    await collection().updateOne({ _id: made.id }, { $set: fields });
    const seen = await deliveries.find(tenantId, made.id);
    if (seen === undefined) throw new Error('it is not there');
    const store = createRedeliveryStore(collection());
    const other = { ...seen, redeliveries: seen.redeliveries + 1 };
    expect(await store.sendAgain(other, new Date())).toBeUndefined();
    const sent = await store.sendAgain(seen, new Date());
    if (sent === undefined) throw new Error('it was not sent');
    expect(revisionOf(sent)).toBeGreaterThan(revisionOf(seen));
    expect(await store.sendAgain(seen, new Date())).toBeUndefined();
  });
});
