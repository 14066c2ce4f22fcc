import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import type { TenantStore } from '../tenants/tenant-store.ts';
import { createUserHandler } from './user-handler.ts';
import { createUserService } from './user-service.ts';
import { createUserStore, type UserDocument, userIndexes } from './user-store.ts';

interface Dependencies {
  readonly tenantStore: Pick<TenantStore, 'find'>;
  readonly idempotency: Idempotency;
}

export function createUserModule(runtime: ServiceRuntime, { tenantStore, idempotency }: Dependencies) {
  const collection = runtime.collection<UserDocument>('users');
  const relay = runtime.relay(systemScope(collection));
  const store = createUserStore({ collection, client: runtime.mongo.client, onEvent: relay.wake });
  const users = createUserService({ users: store, tenants: tenantStore, clock: runtime.clock, newId: v7 });
  return {
    handlers: [createUserHandler({ users, idempotency })],
    indexes: { users: [...userIndexes, outboxIndex] },
    stoppedLast: [relay],
    provides: users,
  };
}
