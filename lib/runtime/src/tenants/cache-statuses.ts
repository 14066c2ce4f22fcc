import { LRUCache } from 'lru-cache';
import type { TenantId } from '../auth/tenant-id.ts';
import { maxEntries } from '../limits/max-entries.ts';
import type { TenantStatus } from './tenant-state.ts';

const TTL_MS = 1_000;
const MAX_TENANTS = 10_000;

type StatusOf = (tenantId: TenantId) => Promise<TenantStatus>;

/**
 * Caches statuses of tenants. If loading fails, it returns the last known status, or throws the error of `load` for an
 * unknown tenant.
 *
 * @param now milliseconds that never decrease
 */
export function cacheStatuses(load: StatusOf, now = () => performance.now()): StatusOf {
  const cache = new LRUCache<TenantId, TenantStatus>({
    ...maxEntries(MAX_TENANTS),
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: load,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
  });
  // Without a cached status, the cache returns undefined and hides the error, so load again.
  return async (tenantId) => (await cache.fetch(tenantId)) ?? load(tenantId);
}
