import { setTimeout as sleep } from 'node:timers/promises';
import { catalog } from '@survey/proto/catalog';
import { createRotatingMinter } from '@survey/runtime/auth/rotating-minter';
import { loadPeerTls, type PeerTls } from '@survey/runtime/rpc/peer-tls';
import { connectService } from '@survey/runtime/rpc/service-client';
import { createAdminServer } from '@survey/runtime/service/admin-server';
import { createHealth } from '@survey/runtime/service/health';
import { createHttpListener } from '@survey/runtime/service/http-listener';
import type { App } from '@survey/runtime/service/run-process';
import { ADMIN_GRACE_MS, timeToFinishCalls } from '@survey/runtime/service/stop-times';
import { createRegistry } from '@survey/runtime/telemetry/create-registry';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createApiHandler } from './api/api-handler.ts';
import { createAuthenticator } from './api/authenticator.ts';
import { createFindSurplus } from './api/find-surplus.ts';
import { mapBackends } from './backends.ts';
import { type GatewayConfig, toBackendAddresses } from './config.ts';
import { createBackendProxy } from './forwarding/backend-proxy.ts';
import { clientAddressOf } from './forwarding/client-address.ts';
import { createPlatformHealth } from './health/platform-health.ts';
import { answerBrokenRequests } from './http/broken-requests.ts';
import { createCors } from './http/cors.ts';
import { createExpressApp } from './http/express-app.ts';
import { toSecurityHeaders, withSecurityHeaders } from './http/security-headers.ts';
import { shedLoad } from './http/shed-load.ts';
import { createLimits } from './limits/create-limits.ts';
import { observeBackends } from './metrics/backend-metrics.ts';
import { createHttpMetrics } from './metrics/http-metrics.ts';
import { createLocalSource, createRemoteSource } from './metrics/metrics-sources.ts';
import { createPlatformMetrics } from './metrics/platform-metrics.ts';
import { createIdentityApiKeys } from './permissions/identity-api-keys.ts';
import { createIdentityPermissions } from './permissions/identity-permissions.ts';
import { createPermissionCache } from './permissions/permission-cache.ts';
import { createRouteTable } from './route-table.ts';
import { toIssuerConfigs, toTimeRules } from './tokens/token-settings.ts';
import { createTokenVerifier } from './tokens/token-verifier.ts';
import { createTrustedIssuers, warmKeys } from './tokens/trusted-issuers.ts';

/** The gateway, and the ports that it listens on once it is started. */
export interface GatewayApp extends App {
  readonly ports: () => { readonly port: number; readonly adminPort: number };
}

export async function createGatewayApp(config: GatewayConfig, log: Logger): Promise<GatewayApp> {
  const registry = createRegistry({ service: 'gateway' });
  const minter = await createRotatingMinter({ service: 'gateway', secret: config.internalKey, log });
  const tls = await loadPeerTls(config.tlsDir, log);
  const identity = connectService({ name: 'identity', address: config.identityGrpcAddress, minter, tls });
  const issuers = await createTrustedIssuers({ configs: toIssuerConfigs(config), registry, log });
  const health = createHealth({ checks: { keys: () => warmKeys(issuers) }, needed: ['keys'], registry });
  const proxies = createProxies(config, tls);
  observeBackends(proxies, registry);
  const routes = createRouteTable(catalog);
  const httpMetrics = createHttpMetrics(registry);
  const cors = createCors(config.corsOrigins);
  const { clientLimits, tenantLimits, arrivingBodies } = createLimits({ config, identity, registry, log });
  const { trustedProxies } = config;
  const api = createApiHandler({
    routes,
    authenticator: createAuthenticator({
      tokens: createTokenVerifier({ issuers, times: toTimeRules(config) }),
      permissions: createPermissionCache({
        load: createIdentityPermissions(identity, log),
        idOf: ({ tenantId, subject }) => JSON.stringify([tenantId, subject]),
        now: Date.now,
      }),
      apiKeys: createPermissionCache({
        load: createIdentityApiKeys(identity, log),
        idOf: (secretHash) => Buffer.from(secretHash).toString('base64'),
        now: Date.now,
      }),
      now: Date.now,
      registry,
      log,
    }),
    minter,
    proxies,
    cors,
    clientLimits,
    tenantLimits,
    arrivingBodies,
    trustedProxies,
  });
  const adminUrls = Object.values(toBackendAddresses(config)).map(({ adminUrl }) => adminUrl);
  const app = createExpressApp({
    api,
    health: createPlatformHealth(adminUrls),
    metrics: createPlatformMetrics({ sources: createSources(config, registry), registry, log }),
    metricsToken: config.metricsToken,
    observe: httpMetrics.observe,
    enter: (request) => clientLimits.enter(clientAddressOf(request, trustedProxies), 'default'),
    log,
  });
  const findSurplus = createFindSurplus({ routes, proxies });
  const securityHeaders = toSecurityHeaders(config.hstsMaxAgeSeconds);
  const handler = shedLoad(app, { findSurplus, count: httpMetrics.count, cors });
  const listener = createHttpListener(withSecurityHeaders(securityHeaders, handler));
  answerBrokenRequests(listener.server, securityHeaders);
  const admin = createAdminServer({ health, registry, log });
  let ports = { port: 0, adminPort: 0 };

  return {
    ports: () => ports,
    setup: () => Promise.resolve(),
    async start() {
      ports = {
        port: await listener.listen(config.port, config.host),
        adminPort: await admin.listen(config.adminPort, config.host),
      };
      health.setServing(true);
      log.info(ports, 'listening');
    },
    async stop() {
      health.setServing(false);
      listener.drain();
      await sleep(config.drainMs);
      await listener.close(timeToFinishCalls(config.stopMs));
      for (const proxy of Object.values(proxies)) proxy.close();
      identity.close();
      tls?.close();
      await admin.close(ADMIN_GRACE_MS);
    },
  };
}

function createProxies(config: GatewayConfig, tls: PeerTls | undefined) {
  const addresses = toBackendAddresses(config);
  return mapBackends((name) => createBackendProxy({ url: addresses[name].url, tls }));
}

function createSources(config: GatewayConfig, registry: Registry) {
  const own =
    config.gatewayAdminUrl === undefined
      ? createLocalSource('gateway', registry)
      : createRemoteSource('gateway', config.gatewayAdminUrl);
  const services = Object.entries(toBackendAddresses(config));
  return [own, ...services.map(([name, { adminUrl }]) => createRemoteSource(name, adminUrl))];
}
