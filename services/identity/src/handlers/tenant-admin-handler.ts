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

/** What operators do. They act on any tenant, so it is named in the request: the token of an operator names none. */
export function createTenantAdminHandler({ tenants, users, revokedTokens }: Dependencies) {
  return implement(TenantAdminService, {
    createTenant: ({ name, ownerEmail }, context) => tenants.create(operatorOf(callOf(context)), { name, ownerEmail }),

    async addUser({ tenantId, email, role, permissions }, context) {
      const { id } = await users.add(actorOf(callOf(context), tenantId), { email, role: toRole(role), permissions });
      return { userId: id };
    },

    showTenant: async ({ tenantId }) => toAnswer(await tenants.get(toTenantId(tenantId))),
    suspendTenant: async ({ tenantId }, context) => toAnswer(await tenants.suspend(actorOf(callOf(context), tenantId))),
    resumeTenant: async ({ tenantId }, context) => toAnswer(await tenants.resume(actorOf(callOf(context), tenantId))),

    deleteTenant: async ({ tenantId }, context) => toAnswer(await tenants.remove(actorOf(callOf(context), tenantId))),
    setTenantLimits: async ({ tenantId, limits }, context) =>
      toAnswer(await tenants.limit(actorOf(callOf(context), tenantId), fromLimitsMessage(limits))),

    // The rules of the message demand an end; that of none would be over.
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

function toAnswer(tenant: Tenant) {
  return { state: toTenantStateMessage(tenant) };
}
