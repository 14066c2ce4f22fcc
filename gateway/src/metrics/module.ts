import type { GatewayRuntime } from '../runtime.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createLocalSource, createRemoteSource } from './metrics-sources.ts';
import { createPlatformMetrics } from './platform-metrics.ts';

interface Config {
  readonly gatewayAdminUrl: string | undefined;
  /** Admin addresses of the services, by their names. */
  readonly adminUrls: Readonly<Record<string, string>>;
}

/** Measures requests, and merges the metrics of all processes. */
export function createMetricsModule({ registry, log }: GatewayRuntime, { gatewayAdminUrl, adminUrls }: Config) {
  const gatewaySource =
    gatewayAdminUrl === undefined
      ? createLocalSource('gateway', registry)
      : createRemoteSource('gateway', gatewayAdminUrl);
  const services = Object.entries(adminUrls).map(([name, url]) => createRemoteSource(name, url));
  return {
    httpMetrics: createHttpMetrics(registry),
    platformMetrics: createPlatformMetrics({ sources: [gatewaySource, ...services], registry, log }),
  };
}
