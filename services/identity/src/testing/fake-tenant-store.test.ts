import { describe } from 'vitest';
import { createFakeTenantStore } from './fake-tenant-store.ts';
import { itKeepsTenants } from './tenant-store-contract.ts';

describe('fake tenant store', () => {
  const store = createFakeTenantStore();
  itKeepsTenants(() => store);
});
