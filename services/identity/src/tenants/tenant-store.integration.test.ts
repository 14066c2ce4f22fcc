import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itKeepsTenants } from '../testing/tenant-store-contract.ts';
import { activate, newTenant } from './tenant.ts';
import { tenantEvents } from './tenant-service.ts';
import { createTenantStore } from './tenant-store.ts';

let database: TestDatabase;
let wakeUps = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const createStore = () =>
  createTenantStore({
    collection: database.db.collection('tenants'),
    onEvent() {
      wakeUps += 1;
    },
  });

describe('tenant store', () => {
  itKeepsTenants(createStore);

  it('stores the events of a change with it, and wakes the relay', async () => {
    const store = createStore();
    const before = newTenant(toTenantId(randomUUID()), 'Example', new Date());
    const after = activate(before, new Date());
    const by = { tenantId: before.id, actor: 'operator', requestId: 'r', traceparent: '' };
    const events = tenantEvents(by, 'tenant.created', before, after);
    await store.insert(before);
    const wakesBefore = wakeUps;
    expect(await store.replace(before, after, events)).toBe(true);
    expect(wakeUps).toBe(wakesBefore + 1);
    const stored = await database.db.collection<{ _id: string }>('tenants').findOne({ _id: before.id });
    expect(stored).toMatchObject({ status: 'active', outbox: events.map(({ id }) => ({ id })) });
  });
});
