import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import type { Actor } from '@survey/runtime/auth/actor';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { type CallContext, callOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { RevokedTokenService } from '../revoked-tokens/revoked-token-service.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { fromLimitsMessage, toTenantStateMessage } from '../tenants/tenant-mapper.ts';
import type { Operator, TenantService } from '../tenants/tenant-service.ts';
import { toRole } from '../users/roles.ts';
import type { UserService } from '../users/user-service.ts';

interface Dependencies {
  readonly tenants: TenantService;
  readonly users: UserService;
  readonly revokedTokens: Pick<RevokedTokenService, 'revoke'>;
}

/** The operations of operators. The request names the tenant, because the token of an operator has none. */
export function createTenantAdminHandler({ tenants, users, revokedTokens }: Dependencies) {
  return implement(TenantAdminService, {
    createTenant: ({ name, ownerEmail }, context) => tenants.create(operatorOf(callOf(context)), { name, ownerEmail }),

    async addUser({ tenantId, email, role, permissions }, context) {
      const { id } = await users.add(actorOf(callOf(context), tenantId), { email, role: toRole(role), permissions });
      return { userId: id };
    },

    showTenant: async ({ tenantId }) => toReply(await tenants.get(toTenantId(tenantId))),

    async listTenants({ limit, after }) {
      const page = await tenants.list({ limit, ...(after === undefined ? {} : { after: toTenantId(after) }) });
      return { states: page.tenants.map(toTenantStateMessage), hasMore: page.hasMore };
    },

    suspendTenant: async ({ tenantId }, context) => toReply(await tenants.suspend(actorOf(callOf(context), tenantId))),
    resumeTenant: async ({ tenantId }, context) => toReply(await tenants.resume(actorOf(callOf(context), tenantId))),

    deleteTenant: async ({ tenantId }, context) => toReply(await tenants.remove(actorOf(callOf(context), tenantId))),
    setTenantLimits: async ({ tenantId, limits }, context) =>
      toReply(await tenants.setLimits(actorOf(callOf(context), tenantId), fromLimitsMessage(limits))),

    // Validation requires `expiresAt`; the default only satisfies the type checker, and has already expired.
    async revokeToken({ tenantId, userId, tokenId, expiresAt = timestampFromMs(0) }, context) {
      const token = { userId, tokenId, expiresAt: timestampDate(expiresAt) };
      await revokedTokens.revoke(actorOf(callOf(context), tenantId), token);
      return {};
    },
  });
}

function operatorOf({ caller, requestId, traceparent }: CallContext): Operator {
  return { actor: caller.service, requestId, traceparent };
}

function actorOf(call: CallContext, tenantId: string): Actor {
  return { ...operatorOf(call), tenantId: toTenantId(tenantId) };
}

function toReply(tenant: Tenant) {
  return { state: toTenantStateMessage(tenant) };
}
