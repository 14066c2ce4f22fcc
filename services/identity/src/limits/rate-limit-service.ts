import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { TenantStore } from '../tenants/tenant-service.ts';
import { type RateLimit, type TokenLease, toRateLimit } from './rate-limit.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** What a gateway asks for. */
interface Wish {
  readonly routeClass: string;
  /** Of a tenant that has no limit of its own. */
  readonly platformRequestsPerMinute: number;
  /** Of the tenant's requests, for the class. */
  readonly percent: number;
  readonly wanted: number;
}

interface Outcome {
  readonly lease: TokenLease;
  readonly limit: RateLimit;
  /** Of the tenant's own, if it has any. */
  readonly concurrentRequests: number | undefined;
}

export type RateLimitService = ReturnType<typeof createRateLimitService>;

export function createRateLimitService({
  limits,
  tenants,
}: {
  readonly limits: RateLimitStore;
  readonly tenants: Pick<TenantStore, 'find'>;
}) {
  return {
    /** A tenant that there is not any more is one without limits of its own: whether it may do anything others tell. */
    async lease(tenantId: TenantId, wish: Wish): Promise<Outcome> {
      const own = (await tenants.find(tenantId))?.limits;
      const requestsPerMinute = own?.requestsPerMinute ?? wish.platformRequestsPerMinute;
      const limit = toRateLimit(wish.routeClass, wish.percent, requestsPerMinute);
      const lease = await limits.lease(tenantId, limit, wish.wanted);
      return { lease, limit, concurrentRequests: own?.concurrentRequests };
    },
  };
}
