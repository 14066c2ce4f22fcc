import {
  IdentityService,
  type MeSchema,
  RateLimitUsageSchema,
} from '@survey/proto/survey/identity/v1/identity_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { readIfMatch, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { RateLimitService } from '../limits/rate-limit-service.ts';
import { toTenantMessage } from '../tenants/tenant-mapper.ts';
import type { TenantService } from '../tenants/tenant-service.ts';
import type { UserService } from '../users/user-service.ts';

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
      // Report the permissions of the token, which can be fewer than those of the user.
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
