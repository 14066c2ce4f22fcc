import { startInterval } from '@survey/runtime/flow/interval';
import type { GatewayRuntime } from '../runtime.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createLocalSource, createRemoteSource } from './metrics-sources.ts';
import { createPlatformMetrics } from './platform-metrics.ts';
import { createRequestSeries } from './request-series.ts';

interface Config {
  readonly gatewayAdminUrl: string | undefined;
  readonly metricsMaxSeries: number;
  /** Admin addresses of the services, by their names. */
  readonly adminUrls: Readonly<Record<string, string>>;
}

/** Time between selections of the busiest tenants. */
const SELECTION_MS = 60_000;

/** Measures requests, and merges the metrics of all processes. */
export function createMetricsModule({ registry, log }: GatewayRuntime, config: Config) {
  const { gatewayAdminUrl, adminUrls, metricsMaxSeries: maxSeries } = config;
  const series = createRequestSeries({ registry, maxSeries });
  const selection = startInterval({ everyMs: SELECTION_MS, call: async () => series.select() });
  const gatewaySource =
    gatewayAdminUrl === undefined
      ? createLocalSource('gateway', registry)
      : createRemoteSource('gateway', gatewayAdminUrl);
  const services = Object.entries(adminUrls).map(([name, url]) => createRemoteSource(name, url));
  return {
    httpMetrics: createHttpMetrics(series),
    platformMetrics: createPlatformMetrics({ sources: [gatewaySource, ...services], registry, log }),
    stopSelection: selection.stop,
  };
}
