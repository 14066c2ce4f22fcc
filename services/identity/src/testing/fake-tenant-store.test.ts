import { describe } from 'vitest';
import { createFakeTenantStore } from './fake-tenant-store.ts';
import { itKeepsTenants } from './tenant-store-contract.ts';

describe('the fake store of tenants', () => {
  const store = createFakeTenantStore();
  itKeepsTenants(() => store);
});
