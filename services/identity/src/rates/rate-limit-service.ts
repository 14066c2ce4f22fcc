import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { percentOfLimit } from '@survey/runtime/errors/quota';
import type { TenantStore } from '../tenants/tenant-service.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** A request of a gateway for tokens. */
interface TokenRequest {
  readonly routeClass: string;
  /** The limit for tenants without their own. */
  readonly platformRequestsPerMinute: number;
  /** The part of the tenant's requests per minute that the route class may use. */
  readonly percent: number;
  readonly wanted: number;
}

interface Outcome {
  readonly lease: TokenLease;
  readonly limit: RateLimit;
  /** The tenant's own limit, if any. */
  readonly concurrentRequests: number | undefined;
}

/** Route classes of the gateways. Tenants see these names in `GET /v1/tenant/usage`. */
const ROUTE_CLASSES = ['default', 'heavy'];

export type RateLimitService = ReturnType<typeof createRateLimitService>;

export function createRateLimitService({
  limits,
  tenants,
}: {
  readonly limits: RateLimitStore;
  readonly tenants: Pick<TenantStore, 'find'>;
}) {
  return {
    /** Unknown tenants get the platform limit; other checks reject their requests. */
    async lease(tenantId: TenantId, request: TokenRequest): Promise<Outcome> {
      const tenantLimits = (await tenants.find(tenantId))?.limits;
      const requestsPerMinute = tenantLimits?.requestsPerMinute ?? request.platformRequestsPerMinute;
      const limit = toRateLimit(request.routeClass, request.percent, requestsPerMinute);
      const lease = await limits.lease(tenantId, limit, request.wanted);
      return { lease, limit, concurrentRequests: tenantLimits?.concurrentRequests };
    },

    /** Returns the use of the limits in the last minute, at all gateways. */
    usage: (tenantId: TenantId) => limits.findUsage(tenantId, ROUTE_CLASSES),
  };
}

/** The limit of a tenant for one route class. */
export interface RateLimit {
  readonly routeClass: string;
  readonly requestsPerMinute: number;
}

/** Granted tokens and the state of the limit. */
export interface TokenLease {
  readonly granted: number;
  readonly remaining: number;
  /** Milliseconds until more tokens are available. */
  readonly moreAfterMs: number;
}

/** Use of a limit in the last minute. */
export interface RateLimitUse {
  readonly routeClass: string;
  /** Undefined if the limit was not used in the last minutes. */
  readonly requestsPerMinute: number | undefined;
  /** Leased tokens. */
  readonly used: number;
}

/** The limit of a route class: a percentage of the tenant's requests, at least 1. */
function toRateLimit(routeClass: string, percent: number, requestsPerMinute: number): RateLimit {
  return { routeClass, requestsPerMinute: percentOfLimit(requestsPerMinute, percent) };
}
