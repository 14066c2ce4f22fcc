import type { GatewayRuntime } from '../runtime.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createLocalSource, createRemoteSource } from './metrics-sources.ts';
import { createPlatformMetrics } from './platform-metrics.ts';
import { createRequestSeries } from './request-series.ts';
import { shareLoads } from './share-loads.ts';

interface Config {
  readonly gatewayAdminUrl: string | undefined;
  readonly metricsMaxSeries: number;
  /** Admin addresses of the services, by their names. */
  readonly adminUrls: Readonly<Record<string, string>>;
}

/** Measures requests, and merges the metrics of all processes. */
export function createMetricsModule({ registry, log, identity }: GatewayRuntime, config: Config) {
  const { gatewayAdminUrl, adminUrls, metricsMaxSeries: maxSeries } = config;
  const series = createRequestSeries({ registry, maxSeries });
  const sharing = shareLoads({ series, identity, maxSeries, log });
  const gatewaySource =
    gatewayAdminUrl === undefined
      ? createLocalSource('gateway', registry)
      : createRemoteSource('gateway', gatewayAdminUrl);
  const services = Object.entries(adminUrls).map(([name, url]) => createRemoteSource(name, url));
  return {
    httpMetrics: createHttpMetrics(series),
    platformMetrics: createPlatformMetrics({ sources: [gatewaySource, ...services], registry, log }),
    stopSharingLoads: sharing.stop,
  };
}
