import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { callOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';

/** Individual limits of a tenant. */
interface OwnLimits {
  readonly requestsPerMinute?: number;
  readonly concurrentRequests?: number;
}

/** Fakes the rate limit service of identity. Tokens are never refilled. */
export function createTestRateLimits() {
  const ownLimits = new Map<string, OwnLimits>();
  const leased = new Map<string, number>();
  const implementation = implement(RateLimitService, {
    async leaseTokens({ routeClass, platformRequestsPerMinute, percent, wanted }, context) {
      const { tenantId = '' } = callOf(context).caller;
      const key = `${tenantId}/${routeClass}`;
      const { requestsPerMinute: tenantLimit = platformRequestsPerMinute, ...others } = ownLimits.get(tenantId) ?? {};
      const requestsPerMinute = Math.max(1, Math.floor((tenantLimit * percent) / 100));
      const left = Math.max(0, requestsPerMinute - (leased.get(key) ?? 0));
      const granted = Math.min(wanted, left);
      leased.set(key, (leased.get(key) ?? 0) + granted);
      return { granted, remaining: left - granted, requestsPerMinute, moreAfterMs: 30_000, ...others };
    },
  });
  return { ownLimits, implementation };
}
