import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { IdentityConfig } from './config.ts';
import { createTenantAdminHandler } from './tenants/tenant-admin-handler.ts';
import { createTenantService } from './tenants/tenant-service.ts';
import { createTenantStore, type TenantRecord } from './tenants/tenant-store.ts';
import { createIdentityHandler } from './users/identity-handler.ts';
import { createPermissionHandler } from './users/permission-handler.ts';
import { createUserService } from './users/user-service.ts';
import { createUserStore, type UserRecord, userIndexes } from './users/user-store.ts';

export async function createIdentityApp(config: IdentityConfig, log: Logger) {
  const runtime = await createServiceRuntime('identity', config, log);
  const clock = () => new Date();
  const tenantStore = createTenantStore(runtime.collection<TenantRecord>('tenants'));
  const userStore = createUserStore(runtime.collection<UserRecord>('users'));
  const users = createUserService({ users: userStore, tenants: tenantStore, clock, newId: v7 });
  const tenants = createTenantService({ tenants: tenantStore, users, clock, newId: v7 });

  return createServiceApp({
    runtime,
    config,
    implementations: [
      createIdentityHandler({ tenants, users }),
      createPermissionHandler(users),
      createTenantAdminHandler({ tenants, users }),
    ],
    indexes: { users: userIndexes },
  });
}
