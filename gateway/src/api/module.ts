import { type Backend, catalog } from '@survey/proto/catalog';
import { createHttpListener, type ReadingSpeed } from '@survey/runtime/service/http-listener';
import type { Authenticator } from '../authentication/authenticator.ts';
import { createDocs } from '../docs/docs.ts';
import type { BackendProxy } from '../forwarding/backend-proxy.ts';
import { clientAddressOf } from '../forwarding/client-address.ts';
import type { PlatformHealth } from '../health/platform-health.ts';
import { handleBrokenRequests } from '../http/broken-requests.ts';
import { createCors } from '../http/cors.ts';
import { toSecurityHeaders, withSecurityHeaders } from '../http/security-headers.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import { createMetricsPage, type MetricsPageSettings } from '../metrics/metrics-page.ts';
import type { PlatformMetrics } from '../metrics/platform-metrics.ts';
import type { ArrivingBodies } from '../rates/arriving-bodies.ts';
import type { ClientLimits } from '../rates/client-limits.ts';
import type { TenantLimits } from '../rates/tenant-limits.ts';
import { createRouteTable } from '../route-table.ts';
import type { GatewayRuntime } from '../runtime.ts';
import { createPageFinder, type WebAppSettings } from '../web-apps/web-apps.ts';
import { createApiHandler } from './api-handler.ts';
import { createExpressApp, shedLoad } from './express-app.ts';

/** Minimum speed at which clients must read replies: 64 kbit/s, after half a minute. */
const MIN_READING_SPEED: ReadingSpeed = { graceMs: 30_000, bytesPerMs: 8 };

interface Dependencies extends MetricsPageSettings, WebAppSettings {
  readonly authenticator: Authenticator;
  readonly clientLimits: ClientLimits;
  readonly tenantLimits: TenantLimits;
  readonly arrivingBodies: ArrivingBodies;
  readonly httpMetrics: HttpMetrics;
  readonly platformMetrics: PlatformMetrics;
  readonly proxies: Readonly<Record<Backend, BackendProxy>>;
  readonly platformHealth: () => Promise<PlatformHealth>;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: number;
  readonly hstsMaxAgeSeconds: number;
  readonly docsKeepToken: boolean;
}

export function createApiModule({ minter, log }: GatewayRuntime, dependencies: Dependencies) {
  const { clientLimits, httpMetrics, trustedProxies } = dependencies;
  const routes = createRouteTable(catalog);
  const cors = createCors(dependencies.corsOrigins);
  const app = createExpressApp({
    api: createApiHandler({ ...dependencies, routes, minter, cors }),
    health: dependencies.platformHealth,
    metricsPage: createMetricsPage(dependencies.platformMetrics, dependencies),
    docs: createDocs({ keepToken: dependencies.docsKeepToken }),
    findWebAppPage: createPageFinder(dependencies),
    observe: httpMetrics.observe,
    enter: (request) =>
      clientLimits.countRequest(clientLimits.clientAt(clientAddressOf(request, trustedProxies)), 'default'),
    log,
  });
  const securityHeaders = toSecurityHeaders(dependencies.hstsMaxAgeSeconds);
  const handler = shedLoad(app, { ...dependencies, routes, count: httpMetrics.count, cors });
  const listener = createHttpListener(withSecurityHeaders(securityHeaders, handler), undefined, {
    minReadingSpeed: MIN_READING_SPEED,
  });
  handleBrokenRequests(listener.server, securityHeaders);
  return listener;
}
