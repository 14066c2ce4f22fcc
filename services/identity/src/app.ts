import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createIdempotencyModule } from '@survey/runtime/service/idempotency-module';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules } from '@survey/runtime/service/service-module';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { createApiKeyModule } from './api-keys/module.ts';
import { createAuditModule } from './audit/module.ts';
import type { IdentityConfig } from './config.ts';
import { createIdentityHandler, createPermissionHandler, createTenantAdminHandler } from './identity-handler.ts';
import { createRateLimitModule } from './rates/module.ts';
import { createRevokedTokenModule } from './revoked-tokens/module.ts';
import { createTenantModule, createTenantStoreModule } from './tenants/module.ts';
import { createUserModule } from './users/module.ts';

/** Creates the features in the order of their dependencies. */
export async function createIdentityApp(config: IdentityConfig, log: Logger) {
  const runtime = await createServiceRuntime('identity', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  // Like every service, identity erases its own data of deleted tenants.
  const followedTenants = followTenants(runtime, {
    config,
    destroyDataKeys: envelope.erase,
    // The record of a deleted tenant stays: it lists the services that have erased their data.
    keptCollections: ['tenants'],
  });
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants: followedTenants }));
  const idempotency = add(createIdempotencyModule(runtime, envelope));
  const tenantStore = add(createTenantStoreModule(runtime));
  const users = add(createUserModule(runtime, { tenantStore, idempotency }));
  const tenants = add(createTenantModule(runtime, { store: tenantStore, users }));
  const revokedTokens = add(createRevokedTokenModule(runtime, { tenants }));
  add(createApiKeyModule(runtime, { users, envelope, idempotency }));
  const rateLimits = add(createRateLimitModule(runtime, { tenantStore }));
  add(createAuditModule(runtime, { followedTenants, recordErasure: tenants.recordErasure }));
  // These handlers use several features.
  add({
    handlers: [
      createIdentityHandler({ tenants, users, rateLimits }),
      createPermissionHandler({ users, revokedTokens }),
      createTenantAdminHandler({ tenants, users, revokedTokens }),
    ],
  });
  return createServiceApp({ runtime, config, tenants: followedTenants, modules });
}
