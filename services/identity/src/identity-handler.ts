import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  IdentityService,
  type MeSchema,
  RateLimitUsageSchema,
  type TenantLimits as TenantLimitsMessage,
  TenantSchema,
} from '@survey/proto/survey/identity/v1/identity_service_pb';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService, TenantStateSchema } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { type CallContext, callOf, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { readIfMatch, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { RateLimitService } from './rates/rate-limit-service.ts';
import type { RevokedTokenService } from './revoked-tokens/revoked-token-service.ts';
import type { Tenant, TenantLimits } from './tenants/tenant.ts';
import type { Operator, TenantService } from './tenants/tenant-service.ts';
import { toRole } from './users/roles.ts';
import { grantsOf } from './users/user.ts';
import type { UserService } from './users/user-service.ts';

interface Dependencies {
  readonly tenants: TenantService;
  readonly users: UserService;
  readonly rateLimits: Pick<RateLimitService, 'usage'>;
}

export function createIdentityHandler({ tenants, users, rateLimits }: Dependencies) {
  return implement(IdentityService, {
    async getMe(_, context) {
      const { tenantId, actor, caller } = tenantCallOf(context);
      const { role } = await users.get(tenantId, actor);
      // Report the permissions of the token, which can be fewer than the permissions of the user.
      const me = { tenantId, userId: actor, role, permissions: [...caller.permissions].sort() };
      return { me: me satisfies CompleteFields<typeof MeSchema> };
    },

    async getTenant(_, context) {
      const tenant = await tenants.get(tenantCallOf(context).tenantId);
      setEtag(context, tenant.revision);
      return { tenant: toTenantMessage(tenant) };
    },

    async getTenantUsage(_, context) {
      const usage = await rateLimits.usage(tenantCallOf(context).tenantId);
      // The API names a route class `policy`, like the header `RateLimit-Policy`.
      const messages = usage.map(({ routeClass, ...use }) =>
        toMessageFields(RateLimitUsageSchema, { ...use, policy: routeClass }),
      );
      return { usage: { rateLimits: messages } };
    },

    async updateTenant({ updateMask, name }, context) {
      const change = updateMask?.paths.includes('name') ? { name } : {};
      const tenant = await tenants.change(tenantCallOf(context), change, readIfMatch(context));
      setEtag(context, tenant.revision);
      return { tenant: toTenantMessage(tenant) };
    },
  });
}

interface PermissionDependencies {
  readonly users: Pick<UserService, 'getOfActiveTenant'>;
  readonly revokedTokens: Pick<RevokedTokenService, 'unexpiredIdsOf'>;
}

/** For the gateway, which requests the permissions of each caller. */
export function createPermissionHandler({ users, revokedTokens }: PermissionDependencies) {
  return implement(PermissionService, {
    async getPermissions(_, context) {
      const { tenantId, actor } = tenantCallOf(context);
      const [user, revoked] = await Promise.all([
        users.getOfActiveTenant(tenantId, actor),
        revokedTokens.unexpiredIdsOf(tenantId, actor),
      ]);
      return { ...grantsOf(user), revokedTokenIds: [...revoked] };
    },
  });
}

interface AdminDependencies {
  readonly tenants: TenantService;
  readonly users: UserService;
  readonly revokedTokens: Pick<RevokedTokenService, 'revoke'>;
}

/** The operations of operators. The request names the tenant, because the token of an operator has no tenant. */
export function createTenantAdminHandler({ tenants, users, revokedTokens }: AdminDependencies) {
  return implement(TenantAdminService, {
    createTenant: ({ name, ownerEmail }, context) => tenants.create(operatorOf(callOf(context)), { name, ownerEmail }),

    async addUser({ tenantId, email, role, permissions }, context) {
      const { id } = await users.addByOperator(changeContextOf(callOf(context), tenantId), {
        email,
        role: toRole(role),
        permissions,
      });
      return { userId: id };
    },

    showTenant: async ({ tenantId }) => toReply(await tenants.get(toTenantId(tenantId))),

    async listTenants({ limit, after }) {
      const page = await tenants.list({ limit, ...(after === undefined ? {} : { after: toTenantId(after) }) });
      return { states: page.tenants.map(toOperatorTenantMessage), hasMore: page.hasMore };
    },

    suspendTenant: async ({ tenantId }, context) =>
      toReply(await tenants.suspend(changeContextOf(callOf(context), tenantId))),
    resumeTenant: async ({ tenantId }, context) =>
      toReply(await tenants.resume(changeContextOf(callOf(context), tenantId))),

    deleteTenant: async ({ tenantId }, context) =>
      toReply(await tenants.remove(changeContextOf(callOf(context), tenantId))),
    setTenantLimits: async ({ tenantId, limits }, context) =>
      toReply(await tenants.setLimits(changeContextOf(callOf(context), tenantId), fromLimitsMessage(limits))),

    // Validation requires `expiresAt`, so the default is only for the type checker.
    async revokeToken({ tenantId, userId, tokenId, expiresAt = timestampFromMs(0) }, context) {
      const token = { userId, tokenId, expiresAt: timestampDate(expiresAt) };
      await revokedTokens.revoke(changeContextOf(callOf(context), tenantId), token);
      return {};
    },
  });
}

/** Operators are no users. In the audit, the actor of their changes is the `service` that their token names. */
function operatorOf({ caller, requestId, traceparent }: CallContext): Operator {
  return { actor: caller.service, requestId, traceparent };
}

function changeContextOf(call: CallContext, tenantId: string): ChangeContext {
  return { ...operatorOf(call), tenantId: toTenantId(tenantId) };
}

function toReply(tenant: Tenant) {
  return { state: toOperatorTenantMessage(tenant) };
}

/** A tenant for its own users. */
function toTenantMessage(tenant: Tenant) {
  const { requestsPerMinute, concurrentRequests } = tenant.limits;
  return toMessageFields(TenantSchema, {
    ...tenant,
    limits: {
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
      ...(concurrentRequests === undefined ? {} : { concurrentRequests }),
    },
  });
}

function toOperatorTenantMessage(tenant: Tenant) {
  return toMessageFields(TenantStateSchema, { ...tenant, tenant: toTenantMessage(tenant) });
}

function fromLimitsMessage(limits: TenantLimitsMessage | undefined): TenantLimits {
  return { requestsPerMinute: limits?.requestsPerMinute, concurrentRequests: limits?.concurrentRequests };
}
