import { LRUCache } from 'lru-cache';
import type { TenantId } from '../auth/tenant-id.ts';
import type { TenantStatus } from './tenant-state.ts';

const FRESH_MS = 1_000;
const REMEMBERED_TENANTS = 10_000;

type StatusOf = (tenantId: TenantId) => Promise<TenantStatus>;

/**
 * Tells the status of tenants from memory while it is fresh, and while it cannot be had anew. Throws what `load` throws for
 * a tenant that nothing is remembered of.
 *
 * @param now milliseconds that only ever grow
 */
export function rememberStatuses(load: StatusOf, now = () => performance.now()): StatusOf {
  const remembered = new LRUCache<TenantId, TenantStatus>({
    max: REMEMBERED_TENANTS,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: load,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
  });
  // With nothing to remember the cache gives undefined, and does not say what went wrong.
  return async (tenantId) => (await remembered.fetch(tenantId)) ?? load(tenantId);
}
