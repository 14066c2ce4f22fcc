import { catalog } from '@survey/proto/catalog';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import { createTenantService } from './tenant-service.ts';
import { createTenantStore, type StoredTenant, type TenantStore, tenantIndexes } from './tenant-store.ts';
import { createTenantSweeper } from './tenant-sweeper.ts';

interface Dependencies {
  readonly store: TenantStore;
  readonly users: Parameters<typeof createTenantService>[0]['users'];
}

/** The tenant store. It is a separate module, because users need it and the tenant module needs users. */
export function createTenantStoreModule(runtime: ServiceRuntime) {
  const collection = runtime.collection<StoredTenant>('tenants');
  const relay = runtime.relay(systemScope(collection));
  return {
    indexes: { tenants: [...tenantIndexes, outboxIndex] },
    stoppedLast: [relay],
    provides: createTenantStore({ collection, onEvent: relay.wake }),
  };
}

export function createTenantModule(runtime: ServiceRuntime, { store, users }: Dependencies) {
  const { log, clock } = runtime;
  // Every service stores data of tenants.
  const services = Object.keys(catalog);
  const tenants = createTenantService({ tenants: store, users, services, clock, newId: v7 });
  const lease = runtime.lease('unfinished tenants');
  return { stoppedFirst: [createTenantSweeper({ store, tenants, clock, lease, log })], provides: tenants };
}
