import { RateLimitService as Contract } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { RateLimitService } from './rate-limit-service.ts';

/** For gateways, which lease tokens for requests of tenants. */
export function createRateLimitHandler(limits: RateLimitService) {
  return implement(Contract, {
    async leaseTokens(request, context) {
      const { lease, limit, concurrentRequests } = await limits.lease(tenantCallOf(context).tenantId, request);
      const { requestsPerMinute } = limit;
      return { ...lease, requestsPerMinute, ...(concurrentRequests === undefined ? {} : { concurrentRequests }) };
    },
  });
}
