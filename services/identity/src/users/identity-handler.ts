import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { IdentityService } from '@survey/proto/survey/identity/v1/identity_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { Tenant } from '../tenants/tenant.ts';
import type { TenantService } from '../tenants/tenant-service.ts';
import type { UserService } from './user-service.ts';

export function createIdentityHandler({ tenants, users }: { tenants: TenantService; users: UserService }) {
  return implement(IdentityService, {
    async getMe(_, context) {
      const { tenantId, actor, caller } = tenantCallOf(context);
      const { role } = await users.get(tenantId, actor);
      // Not those of the user: what counts is what this token lets the caller do.
      return { me: { tenantId, userId: actor, role, permissions: [...caller.permissions].sort() } };
    },

    async getTenant(_, context) {
      return { tenant: toTenantMessage(await tenants.get(tenantCallOf(context).tenantId)) };
    },

    async updateTenant({ updateMask, name }, context) {
      const { tenantId } = tenantCallOf(context);
      const isRenamed = updateMask?.paths.includes('name');
      return { tenant: toTenantMessage(await (isRenamed ? tenants.rename(tenantId, name) : tenants.get(tenantId))) };
    },
  });
}

function toTenantMessage({ id, name, status, createdAt }: Tenant) {
  return { id, name, status, createdAt: timestampFromDate(createdAt) };
}
