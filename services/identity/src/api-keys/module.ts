import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { UserService } from '../users/user-service.ts';
import { createApiKeyCheckHandler, createApiKeyHandler } from './api-key-handler.ts';
import { createApiKeyService } from './api-key-service.ts';
import { type ApiKeyDocument, apiKeyIndexes, createApiKeyStore } from './api-key-store.ts';

interface Dependencies {
  readonly users: UserService;
  readonly envelope: Envelope;
  readonly idempotency: Idempotency;
}

export function createApiKeyModule(
  runtime: ServiceRuntime,
  { users, envelope, idempotency }: Dependencies,
): ServiceModule {
  const collection = runtime.collection<ApiKeyDocument>('api_keys');
  const relay = runtime.relay(systemScope(collection));
  const apiKeys = createApiKeyService({
    store: createApiKeyStore({ collection, onEvent: relay.wake }),
    users,
    clock: runtime.clock,
    secretBytesOf: async (tenantId: TenantId, id: string) =>
      (await envelope.cipherOf(tenantId)).stableHash('api-key', Buffer.from(id)),
  });
  return {
    handlers: [createApiKeyHandler({ keys: apiKeys, idempotency }), createApiKeyCheckHandler(apiKeys)],
    indexes: { api_keys: [...apiKeyIndexes, outboxIndex] },
    stoppedLast: [relay],
  };
}
