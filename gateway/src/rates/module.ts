import type { Config } from '@survey/runtime/config/settings';
import type { GatewayRuntime } from '../runtime.ts';
import { createArrivingBodies } from './arriving-bodies.ts';
import { createClientLimits } from './client-limits.ts';
import { createLimitMetrics } from './limit-metrics.ts';
import type { limitSettings } from './limit-settings.ts';
import { createTenantLimits } from './tenant-limits.ts';
import { createIdentityLeases } from './token-lease.ts';

/** Limits the requests of clients and tenants. */
export function createLimitModule(runtime: GatewayRuntime, config: Config<typeof limitSettings>) {
  const { identity, registry, log } = runtime;
  const { requestsPerMinute, concurrentRequests, unlimitedRanges: unlimited } = config;
  const metrics = createLimitMetrics(registry);
  const now = () => performance.now();
  const lease = createIdentityLeases({ identity, requestsPerMinute, metrics, now, log });
  const platform = { requestsPerMinute, concurrentRequests };
  return {
    tenantLimits: createTenantLimits({ lease, platform, metrics, now }),
    clientLimits: createClientLimits({ ...config, unlimited, metrics, now }),
    arrivingBodies: createArrivingBodies(metrics),
  };
}
