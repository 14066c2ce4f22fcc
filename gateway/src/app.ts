import { setTimeout as sleep } from 'node:timers/promises';
import { startInterval } from '@survey/runtime/flow/interval';
import { createAdminServer } from '@survey/runtime/service/admin-server';
import { createHealth } from '@survey/runtime/service/health';
import { ADMIN_GRACE_MS, type App, timeToFinishCalls } from '@survey/runtime/service/run-process';
import type { Logger } from 'pino';
import { createApiModule } from './api/module.ts';
import { createAuthenticationModule } from './authentication/module.ts';
import { type GatewayConfig, toBackendUrls } from './config.ts';
import { createForwardingModule } from './forwarding/module.ts';
import { createPlatformHealth } from './health/platform-health.ts';
import { createHttpMetrics } from './metrics/http-metrics.ts';
import { createLocalSource, createRemoteSource } from './metrics/metrics-sources.ts';
import { createPlatformMetrics } from './metrics/platform-metrics.ts';
import { createRequestSeries } from './metrics/request-series.ts';
import { createArrivingBodies } from './rates/arriving-bodies.ts';
import { createClientLimits } from './rates/client-limits.ts';
import { createLimitMetrics } from './rates/limit-metrics.ts';
import { createTenantLimits } from './rates/tenant-limits.ts';
import { createIdentityLeases } from './rates/token-lease.ts';
import { createGatewayRuntime } from './runtime.ts';

/** Interval of selecting the tenants that have metrics of their own: the busiest. */
const SELECTION_MS = 60_000;

/** The gateway. Its ports are 0 until it has started. */
export interface GatewayApp extends App {
  readonly ports: () => { readonly port: number; readonly adminPort: number };
}

/** Creates the gateway. Each feature uses only features created before it. */
export async function createGatewayApp(config: GatewayConfig, log: Logger): Promise<GatewayApp> {
  const runtime = await createGatewayRuntime(config, log);
  const { urls, adminUrls } = toBackendUrls(config);
  const { authenticator, checkKeys } = await createAuthenticationModule(runtime, config);
  const { proxies, endWaits, close: closeProxies } = createForwardingModule(runtime, urls);
  const { registry, identity } = runtime;
  const { requestsPerMinute, unlimitedRanges: unlimited, metricsMaxSeries: maxSeries, gatewayAdminUrl } = config;
  const now = () => performance.now();

  const limitMetrics = createLimitMetrics(registry);
  const leaseTokens = createIdentityLeases({ identity, requestsPerMinute, metrics: limitMetrics, now, log });
  const requestSeries = createRequestSeries({ registry, maxSeries });
  const selection = startInterval({ everyMs: SELECTION_MS, call: async () => requestSeries.select() });
  const sources = [
    gatewayAdminUrl === undefined
      ? createLocalSource('gateway', registry)
      : createRemoteSource('gateway', gatewayAdminUrl),
    ...Object.entries(adminUrls).map(([name, url]) => createRemoteSource(name, url)),
  ];
  const api = createApiModule(runtime, {
    ...config,
    authenticator,
    proxies,
    tenantLimits: createTenantLimits({ lease: leaseTokens, platform: config, metrics: limitMetrics, now }),
    clientLimits: createClientLimits({ ...config, unlimited, metrics: limitMetrics, now }),
    arrivingBodies: createArrivingBodies(limitMetrics),
    httpMetrics: createHttpMetrics(requestSeries),
    platformMetrics: createPlatformMetrics({ sources, registry, log }),
    platformHealth: createPlatformHealth(Object.values(adminUrls)),
  });
  const health = createHealth({ checks: { keys: checkKeys }, needed: ['keys'], registry });
  const admin = createAdminServer({ health, registry, log });
  let ports = { port: 0, adminPort: 0 };
  let serving = false;

  return {
    ports: () => ports,
    setup: () => Promise.resolve(),
    async start() {
      ports = {
        port: await api.listen(config.port, config.host),
        adminPort: await admin.listen(config.adminPort, config.host),
      };
      serving = true;
      health.setServing(true);
      log.info(ports, 'listening');
    },
    async stop() {
      health.setServing(false);
      api.drain();
      // Wait until load balancers send no more requests. A gateway that never served gets none.
      if (serving) await sleep(config.drainMs);
      endWaits();
      await api.close(timeToFinishCalls(config.stopMs));
      closeProxies();
      selection.stop();
      runtime.close();
      await admin.close(ADMIN_GRACE_MS);
    },
  };
}
