import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { grantsOf } from './user.ts';
import type { UserService } from './user-service.ts';

/** What the gateway asks for each caller. */
export function createPermissionHandler(users: UserService) {
  return implement(PermissionService, {
    async getPermissions(_, context) {
      const { tenantId, actor } = tenantCallOf(context);
      return grantsOf(await users.getActive(tenantId, actor));
    },
  });
}
