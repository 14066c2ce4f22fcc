import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { readTenantState } from '@survey/runtime/tenants/tenant-state';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activate, newTenant, type Tenant } from './tenant.ts';
import { createTenantService, type TenantService } from './tenant-service.ts';
import { createTenantStore, type StoredTenant, type TenantStore, tenantIndexes } from './tenant-store.ts';
import { createTenantSweeper } from './tenant-sweeper.ts';

const NOW = new Date('2026-01-02T12:00:00Z');
const LONG_AGO = new Date('2026-01-02T10:59:59Z');
const LATELY = new Date('2026-01-02T11:00:01Z');
const lease = { acquire: async () => true, release: async () => {} };
const clock = () => NOW;

let database: TestDatabase;
let store: ReturnType<typeof createTenantStore>;
let tenants: TenantService;
let sweeper: ReturnType<typeof createTenantSweeper>;

beforeEach(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { tenants: tenantIndexes });
  store = createTenantStore({ collection: stored(), onEvent: () => {} });
  const users = { addOwner: () => Promise.reject(new Error('unavailable')) };
  tenants = createTenantService({
    tenants: store,
    users,
    services: [],
    clock: () => LONG_AGO,
    newId: randomUUID,
  });
  await expect(tenants.create(operator, { name: 'T', ownerEmail: 'o@example.org' })).rejects.toThrow('unavailable');
  sweeper = createTenantSweeper({ store, tenants, clock, lease, log: testLog });
});

afterEach(async () => {
  await sweeper.stop();
  await database.drop();
});

const operator = { actor: 'operator', requestId: 'r', traceparent: '' };
const stored = () => database.db.collection<StoredTenant>('tenants');

async function insert(createdAt: Date, change = (tenant: Tenant) => tenant): Promise<Tenant> {
  const tenant = change(newTenant(toTenantId(randomUUID()), 'T', createdAt));
  await store.insert(tenant);
  return tenant;
}

describe('tenant sweeper', () => {
  it('deletes tenants whose creation was interrupted long ago, and no others', async () => {
    const others = [await insert(LATELY), await insert(LONG_AGO, (tenant) => activate(tenant, LONG_AGO))];
    sweeper.start();
    const swept = await poll(() => stored().findOne({ status: 'deleting' }));
    expect(swept).toMatchObject({ deleted_by: 'identity', deleted_at: LONG_AGO });
    const [event] = swept.outbox?.map(toMessage) ?? [];
    expect(event && readTenantState(event)).toMatchObject({ tenantId: swept._id, status: 'deleted', revision: 2 });
    for (const other of others) expect(await store.find(other.id)).toEqual(other);
  });

  it('does not delete a tenant that became active after it was found', async () => {
    const late = await insert(LONG_AGO);
    const stalled: Pick<TenantStore, 'findUnfinished'> = {
      async findUnfinished(createdBefore, limit) {
        const found = await store.findUnfinished(createdBefore, limit);
        // While the sweeper stalls, the call that creates the tenant continues.
        const before = await store.find(late.id);
        if (before?.status === 'creating') await store.replace(before, activate(before, NOW), []);
        return found;
      },
    };
    const stalledSweeper = createTenantSweeper({ store: stalled, tenants, clock, lease, log: testLog });
    stalledSweeper.start();
    await poll(() => stored().findOne({ status: 'deleting' }));
    await stalledSweeper.stop();
    expect(await store.find(late.id)).toMatchObject({ status: 'active' });
  });

  it('finds 100 unfinished tenants at a time, the oldest first, by an index', async () => {
    const older = await insert(new Date(0));
    await Promise.all(Array.from({ length: 105 }, () => insert(LONG_AGO)));
    const found = await store.findUnfinished(NOW, 100);
    expect([found.length, found[0]?.id]).toEqual([100, older.id]);
    const plan = await stored()
      .find({ status: 'creating', created_at: { $lt: NOW } })
      .sort({ created_at: 1 })
      .explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"creating"');
  });
});
