import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { IdentityService } from '@survey/proto/survey/identity/v1/identity_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { TenantService } from '../tenants/tenant-service.ts';
import type { UserService } from './user-service.ts';

export function createIdentityHandler({ tenants, users }: { tenants: TenantService; users: UserService }) {
  return implement(IdentityService, {
    async getMe(_, context) {
      const { tenantId, actor } = tenantCallOf(context);
      const { role, permissions } = await users.grants(tenantId, actor);
      return { me: { tenantId, userId: actor, role, permissions } };
    },

    async getTenant(_, context) {
      const { id, name, status, createdAt } = await tenants.get(tenantCallOf(context).tenantId);
      return { tenant: { id, name, status, createdAt: timestampFromDate(createdAt) } };
    },
  });
}
