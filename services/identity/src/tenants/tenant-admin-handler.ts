import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { implement } from '@survey/runtime/rpc/implementation';
import { toRole } from '../users/roles.ts';
import type { UserService } from '../users/user-service.ts';
import type { TenantService } from './tenant-service.ts';

/** What operators do. They act on any tenant, so it is named in the request: the token of an operator names none. */
export function createTenantAdminHandler({ tenants, users }: { tenants: TenantService; users: UserService }) {
  return implement(TenantAdminService, {
    createTenant: ({ name, ownerEmail }) => tenants.create({ name, ownerEmail }),

    async addUser({ tenantId, email, role, permissions }) {
      const { id } = await users.add(toTenantId(tenantId), { email, role: toRole(role), permissions });
      return { userId: id };
    },
  });
}
