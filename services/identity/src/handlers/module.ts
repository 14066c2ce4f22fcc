import type { ServiceModule } from '@survey/runtime/service/service-module';
import { createIdentityHandler } from './identity-handler.ts';
import { createPermissionHandler } from './permission-handler.ts';
import { createTenantAdminHandler } from './tenant-admin-handler.ts';

type Dependencies = Parameters<typeof createIdentityHandler>[0] &
  Parameters<typeof createPermissionHandler>[0] &
  Parameters<typeof createTenantAdminHandler>[0];

/** The operations that use several features. */
export function createHandlerModule(dependencies: Dependencies): ServiceModule {
  return {
    handlers: [
      createIdentityHandler(dependencies),
      createPermissionHandler(dependencies),
      createTenantAdminHandler(dependencies),
    ],
  };
}
