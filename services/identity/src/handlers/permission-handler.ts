import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { RevokedTokenService } from '../revoked-tokens/revoked-token-service.ts';
import { grantsOf } from '../users/user.ts';
import type { UserService } from '../users/user-service.ts';

interface Dependencies {
  readonly users: Pick<UserService, 'getActive'>;
  readonly revokedTokens: Pick<RevokedTokenService, 'listOf'>;
}

/** For the gateway, which requests the permissions of each caller. */
export function createPermissionHandler({ users, revokedTokens }: Dependencies) {
  return implement(PermissionService, {
    async getPermissions(_, context) {
      const { tenantId, actor } = tenantCallOf(context);
      const [user, revoked] = await Promise.all([
        users.getActive(tenantId, actor),
        revokedTokens.listOf(tenantId, actor),
      ]);
      return { ...grantsOf(user), revokedTokenIds: [...revoked] };
    },
  });
}
