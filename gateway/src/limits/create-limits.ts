import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { GatewayConfig } from '../config.ts';
import { type ArrivingBodies, createArrivingBodies } from './arriving-bodies.ts';
import { type ClientLimits, createClientLimits } from './client-limits.ts';
import { createIdentityLeases } from './identity-leases.ts';
import { createLimitMetrics } from './limit-metrics.ts';
import type { limitSettings } from './limit-settings.ts';
import { createTenantLimits, type TenantLimits } from './tenant-limits.ts';

interface Options {
  readonly config: Pick<GatewayConfig, keyof typeof limitSettings>;
  readonly identity: ServiceConnection;
  readonly registry: Registry;
  readonly log: Logger;
}

/** The limits that the gateway holds callers to. */
export function createLimits({ config, identity, registry, log }: Options): {
  readonly clientLimits: ClientLimits;
  readonly tenantLimits: TenantLimits;
  readonly arrivingBodies: ArrivingBodies;
} {
  const { requestsPerMinute, concurrentRequests, publicRequestsPerMinute, failedTokensPerMinute } = config;
  const metrics = createLimitMetrics(registry);
  const now = () => performance.now();
  const lease = createIdentityLeases({ identity, requestsPerMinute, metrics, now, log });
  const platform = { requestsPerMinute, concurrentRequests };
  const unlimited = config.unlimitedRanges;
  return {
    tenantLimits: createTenantLimits({ lease, platform, metrics, now }),
    clientLimits: createClientLimits({ publicRequestsPerMinute, failedTokensPerMinute, unlimited, metrics, now }),
    arrivingBodies: createArrivingBodies({ unlimited, metrics }),
  };
}
