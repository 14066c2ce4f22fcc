import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createTenantLoadHandler } from './tenant-load-handler.ts';
import { createTenantLoadService } from './tenant-load-service.ts';
import { createTenantLoadStore, type TenantLoadDocument, tenantLoadIndexes } from './tenant-load-store.ts';

/** Reports of gateways, with many tenants each. They expire after minutes, so the eraser of tenants skips them. */
export const TENANT_LOADS = 'tenant_loads';

export function createTenantLoadModule({ collection, clock }: ServiceRuntime) {
  const store = createTenantLoadStore(systemScope(collection<TenantLoadDocument>(TENANT_LOADS)));
  return {
    handlers: [createTenantLoadHandler(createTenantLoadService({ store, clock }))],
    indexes: { [TENANT_LOADS]: tenantLoadIndexes },
  };
}
