import { RateLimitService as Contract } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { TenantStore } from '../tenants/tenant-service.ts';
import { createRateLimitService, type RateLimitService } from './rate-limit-service.ts';
import { createRateLimitStore, type RateLimitDocument, rateLimitIndexes } from './rate-limit-store.ts';

interface Dependencies {
  readonly tenants: Pick<TenantStore, 'find'>;
}

/** A crash can lose counters, which recover within a minute. */
const COUNTER_COLLECTION_OPTIONS = {
  writeConcern: { w: 1, journal: false },
  // The writes do not wait for a majority of replicas, so a majority read could return old counters.
  readConcern: { level: 'local' },
} as const;

export function createRateLimitModule({ mongo }: ServiceRuntime, { tenants }: Dependencies) {
  const limits = createRateLimitStore(
    mongo.db.collection<RateLimitDocument>('rate_limits', COUNTER_COLLECTION_OPTIONS),
  );
  const api = createRateLimitService({ limits, tenants });
  return {
    api,
    handlers: [createRateLimitHandler(api)],
    indexes: { rate_limits: rateLimitIndexes },
  };
}

/** For gateways, which lease tokens for requests of tenants. */
function createRateLimitHandler(limits: RateLimitService) {
  return implement(Contract, {
    async leaseTokens(request, context) {
      const { lease, limit, concurrentRequests } = await limits.lease(tenantCallOf(context).tenantId, request);
      const { requestsPerMinute } = limit;
      return { ...lease, requestsPerMinute, ...(concurrentRequests === undefined ? {} : { concurrentRequests }) };
    },
  });
}
