import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { percentOfLimit } from '@survey/runtime/errors/quota';
import type { TenantStore } from '../tenants/tenant-store.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/**
 * A request of a gateway for tokens of a rate limit. The gateway uses them within a minute, one for each API request.
 * It has the settings of the platform, so it sends the default limit and the percentage.
 */
interface LeaseRequest {
  readonly routeClass: string;
  /** The limit of tenants that have no limit of their own. */
  readonly platformRequestsPerMinute: number;
  /** Percentage of the tenant's requests per minute that the route class may use. */
  readonly percent: number;
  readonly wanted: number;
}

interface Outcome {
  readonly lease: RateLease;
  readonly limit: RateLimit;
  /** The tenant's own concurrency limit, if any. Gateways enforce it. */
  readonly concurrentRequests: number | undefined;
}

/** Route classes of the gateways. Tenants see these names in `GET /v1/tenant/usage`. */
const ROUTE_CLASSES = ['default', 'heavy'];

export type RateLimitService = ReturnType<typeof createRateLimitService>;

interface Dependencies {
  readonly store: RateLimitStore;
  readonly tenants: Pick<TenantStore, 'find'>;
}

/** Leases the tokens of rate limits to the gateways, so that together they admit no more requests than the limit. */
export function createRateLimitService({ store, tenants }: Dependencies) {
  return {
    /** Unknown tenants get the platform limit; other checks reject their requests. */
    async lease(tenantId: TenantId, request: LeaseRequest): Promise<Outcome> {
      const tenantLimits = (await tenants.find(tenantId))?.limits;
      const requestsPerMinute = tenantLimits?.requestsPerMinute ?? request.platformRequestsPerMinute;
      const { routeClass, percent } = request;
      const limit = { routeClass, requestsPerMinute: percentOfLimit(requestsPerMinute, percent) };
      const lease = await store.lease(tenantId, limit, request.wanted);
      return { lease, limit, concurrentRequests: tenantLimits?.concurrentRequests };
    },

    /** Returns the use of the limits in the last minute, at all gateways. */
    usage: (tenantId: TenantId) => store.findUsage(tenantId, ROUTE_CLASSES),
  };
}

/** The limit of a tenant for one route class: a percentage of its requests per minute, at least 1. */
export interface RateLimit {
  readonly routeClass: string;
  readonly requestsPerMinute: number;
}

/** Granted tokens and the state of the limit. */
export interface RateLease {
  readonly granted: number;
  readonly remaining: number;
  /** Milliseconds until more tokens are available. */
  readonly moreAfterMs: number;
}

/** Use of a limit in the last minute. */
export interface RateLimitUse {
  readonly routeClass: string;
  /** The limit at its last use. Undefined if no gateway has leased tokens in the last five minutes. */
  readonly requestsPerMinute: number | undefined;
  /** Leased tokens. */
  readonly used: number;
}
