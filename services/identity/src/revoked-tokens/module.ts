import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { TenantService } from '../tenants/tenant-service.ts';
import { createRevokedTokenService } from './revoked-token-service.ts';
import { createRevokedTokenStore, type RevokedTokenDocument, revokedTokenIndexes } from './revoked-token-store.ts';

interface Dependencies {
  readonly tenants: TenantService;
}

export function createRevokedTokenModule(runtime: ServiceRuntime, { tenants }: Dependencies) {
  const collection = runtime.collection<RevokedTokenDocument>('revoked_tokens');
  const relay = runtime.relay(systemScope(collection));
  const store = createRevokedTokenStore({ collection, onEvent: relay.wake });
  return {
    indexes: { revoked_tokens: [...revokedTokenIndexes, outboxIndex] },
    stoppedLast: [relay],
    provides: createRevokedTokenService({ store, tenants, clock: runtime.clock }),
  };
}
