import { RateLimitService as Contract } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { TenantStore } from '../tenants/tenant-store.ts';
import { createRateLimitService, type RateLimitService } from './rate-limit-service.ts';
import { createRateLimitStore, type RateLimitDocument, rateLimitIndexes } from './rate-limit-store.ts';

interface Dependencies {
  readonly tenantStore: Pick<TenantStore, 'find'>;
}

/** If a database server fails, the latest counts can be lost. Tenants may then exceed their limits for a minute. */
const COUNTER_COLLECTION_OPTIONS = {
  writeConcern: { w: 1, journal: false },
  // The writes do not wait for a majority of replicas, so a majority read could return old counters.
  readConcern: { level: 'local' },
} as const;

export function createRateLimitModule({ mongo }: ServiceRuntime, { tenantStore }: Dependencies) {
  const store = createRateLimitStore(mongo.db.collection<RateLimitDocument>('rate_limits', COUNTER_COLLECTION_OPTIONS));
  const rates = createRateLimitService({ store, tenants: tenantStore });
  return {
    provides: rates,
    handlers: [createRateLimitHandler(rates)],
    indexes: { rate_limits: rateLimitIndexes },
  };
}

/**
 * Leases tokens of a rate limit to gateways. Each token admits one request. From the replies, gateways learn the
 * current limits of the tenant.
 */
function createRateLimitHandler(service: RateLimitService) {
  return implement(Contract, {
    async leaseTokens(request, context) {
      const { lease, limit, concurrentRequests } = await service.lease(tenantCallOf(context).tenantId, request);
      const { requestsPerMinute } = limit;
      return { ...lease, requestsPerMinute, ...(concurrentRequests === undefined ? {} : { concurrentRequests }) };
    },
  });
}
