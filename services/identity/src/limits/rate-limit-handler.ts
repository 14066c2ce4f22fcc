import { RateLimitService as Contract } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { RateLimitService } from './rate-limit-service.ts';

/** What gateways ask for while a tenant calls. */
export function createRateLimitHandler(limits: RateLimitService) {
  return implement(Contract, {
    async leaseTokens(wish, context) {
      const { lease, limit, concurrentRequests } = await limits.lease(tenantCallOf(context).tenantId, wish);
      const { requestsPerMinute } = limit;
      return { ...lease, requestsPerMinute, ...(concurrentRequests === undefined ? {} : { concurrentRequests }) };
    },
  });
}
