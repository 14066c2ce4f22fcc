import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import type { TenantDocument } from '../mongo/tenant-collection.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { destroyTenantData } from './tenant-eraser.ts';

let database: TestDatabase;
let tenantId: TenantId;
let otherId: TenantId;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.dropDatabase();
  [tenantId, otherId] = [toTenantId(randomUUID()), toTenantId(randomUUID())];
  for (const name of ['surveys', 'links', 'tenants']) {
    await insert(name, tenantId, 1_200);
    await insert(name, otherId, 3);
  }
});
afterAll(() => database.drop());

const collection = (name: string) => database.db.collection<TenantDocument>(name);
const insert = (name: string, owner: TenantId, count: number) =>
  collection(name).insertMany(Array.from({ length: count }, () => ({ _id: randomUUID(), tenant_id: owner })));
const counts = async (owner: TenantId) =>
  Promise.all(['surveys', 'links', 'tenants'].map((name) => collection(name).countDocuments({ tenant_id: owner })));

describe('destroying the data of a tenant', () => {
  it('deletes all documents of the tenant, except in kept collections', async () => {
    const destroyed = await destroyTenantData(database.db, tenantId, {
      keptCollections: ['tenants'],
      mayContinue: async () => true,
    });
    expect(destroyed).toBe(2_400);
    expect(await counts(tenantId)).toEqual([0, 0, 1_200]);
    expect(await counts(otherId)).toEqual([3, 3, 3]);
    expect(
      await destroyTenantData(database.db, tenantId, { keptCollections: ['tenants'], mayContinue: async () => true }),
    ).toBe(0);
  });

  it('stops between batches if it must not continue, and finishes later', async () => {
    const outcomes = [true, true, false];
    const twice = async () => outcomes.shift() ?? false;
    expect(await destroyTenantData(database.db, tenantId, { keptCollections: [], mayContinue: twice })).toBeUndefined();
    const left = (await counts(tenantId)).reduce((sum, count) => sum + count);
    expect(left).toBe(3_600 - 2 * 500);
    expect(await destroyTenantData(database.db, tenantId, { keptCollections: [], mayContinue: async () => true })).toBe(
      left,
    );
    expect(await counts(tenantId)).toEqual([0, 0, 0]);
  });

  it('deletes nothing in an empty database', async () => {
    await database.db.dropDatabase();
    expect(await destroyTenantData(database.db, tenantId, { keptCollections: [], mayContinue: async () => true })).toBe(
      0,
    );
  });
});
