import { randomBytes } from 'node:crypto';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { createApiKeyCheckHandler } from './api-keys/api-key-check-handler.ts';
import { createApiKeyHandler } from './api-keys/api-key-handler.ts';
import { createApiKeyService } from './api-keys/api-key-service.ts';
import { type ApiKeyRecord, apiKeyIndexes, createApiKeyStore } from './api-keys/api-key-store.ts';
import type { IdentityConfig } from './config.ts';
import { createTenantAdminHandler } from './tenants/tenant-admin-handler.ts';
import { createTenantService } from './tenants/tenant-service.ts';
import { createTenantStore, type TenantRecord } from './tenants/tenant-store.ts';
import { createIdentityHandler } from './users/identity-handler.ts';
import { createPermissionHandler } from './users/permission-handler.ts';
import { createUserHandler } from './users/user-handler.ts';
import { createUserService } from './users/user-service.ts';
import { createUserStore, type UserRecord, userIndexes } from './users/user-store.ts';

export async function createIdentityApp(config: IdentityConfig, log: Logger) {
  const runtime = await createServiceRuntime('identity', config, log);
  const clock = () => new Date();
  const tenantStore = createTenantStore(runtime.collection<TenantRecord>('tenants'));
  const userStore = createUserStore({
    collection: runtime.collection<UserRecord>('users'),
    client: runtime.mongo.client,
  });
  const users = createUserService({ users: userStore, tenants: tenantStore, clock, newId: v7 });
  const tenants = createTenantService({ tenants: tenantStore, users, clock, newId: v7 });
  const apiKeyStore = createApiKeyStore(runtime.collection<ApiKeyRecord>('api_keys'));
  const apiKeys = createApiKeyService({ store: apiKeyStore, users, clock, newId: v7, randomBytes });

  return createServiceApp({
    runtime,
    config,
    implementations: [
      createIdentityHandler({ tenants, users }),
      createUserHandler(users),
      createPermissionHandler(users),
      createApiKeyHandler(apiKeys),
      createApiKeyCheckHandler(apiKeys),
      createTenantAdminHandler({ tenants, users }),
    ],
    indexes: { users: userIndexes, api_keys: apiKeyIndexes },
  });
}
