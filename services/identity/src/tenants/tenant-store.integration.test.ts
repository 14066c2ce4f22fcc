import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe } from 'vitest';
import { itKeepsTenants } from '../testing/tenant-store-contract.ts';
import { createTenantStore } from './tenant-store.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

describe('the store of tenants', () => {
  itKeepsTenants(() => createTenantStore(database.db.collection('tenants')));
});
