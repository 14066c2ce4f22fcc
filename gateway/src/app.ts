import { setTimeout as sleep } from 'node:timers/promises';
import { catalog } from '@survey/proto/catalog';
import { createRotatingMinter } from '@survey/runtime/auth/rotating-minter';
import { ConfigError } from '@survey/runtime/config/settings';
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
import { createPlatformHealth } from './health/platform-health.ts';
import { answerBrokenRequests } from './http/broken-requests.ts';
import { createExpressApp } from './http/express-app.ts';
import { shedLoad } from './http/shed-load.ts';
import { createHttpMetrics } from './metrics/http-metrics.ts';
import { createLocalSource, createRemoteSource } from './metrics/metrics-sources.ts';
import { createPlatformMetrics } from './metrics/platform-metrics.ts';
import { createIdentityApiKeys } from './permissions/identity-api-keys.ts';
import { createIdentityPermissions } from './permissions/identity-permissions.ts';
import { createPermissionCache } from './permissions/permission-cache.ts';
import { createRouteTable } from './route-table.ts';
import { createFileKeys } from './tokens/file-keys.ts';
import type { KeySource } from './tokens/key-source.ts';
import { createRemoteKeys } from './tokens/remote-keys.ts';
import { createTokenVerifier } from './tokens/token-verifier.ts';

/** The gateway, and the ports that it listens on once it is started. */
export interface GatewayApp extends App {
  readonly ports: () => { readonly port: number; readonly adminPort: number };
}

export async function createGatewayApp(config: GatewayConfig, log: Logger): Promise<GatewayApp> {
  const registry = createRegistry({ service: 'gateway' });
  const minter = await createRotatingMinter({ service: 'gateway', secret: config.internalKey, log });
  const tls = await loadPeerTls(config.tlsDir, log);
  const identity = connectService({ name: 'identity', address: config.identityGrpcAddress, minter, tls });
  const keys = await createKeys(config, log);
  const health = createHealth({ checks: { keys: keys.ready }, needed: ['keys'] });
  const proxies = createProxies(config, tls);
  const routes = createRouteTable(catalog);
  const httpMetrics = createHttpMetrics(registry);
  const api = createApiHandler({
    routes,
    authenticator: createAuthenticator({
      tokens: createTokenVerifier({
        keys,
        algorithms: config.jwtAlgorithms,
        issuer: config.jwtIssuer,
        audience: config.jwtAudience,
        maxLifetimeSeconds: config.jwtMaxLifetimeSeconds,
      }),
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
    trustedProxies: config.trustedProxies,
  });
  const adminUrls = Object.values(toBackendAddresses(config)).map(({ adminUrl }) => adminUrl);
  const app = createExpressApp({
    api,
    health: createPlatformHealth(adminUrls),
    metrics: createPlatformMetrics({ sources: createSources(config, registry), registry, log }),
    metricsToken: config.metricsToken,
    observe: httpMetrics.observe,
    log,
  });
  const listener = createHttpListener(shedLoad(app, createFindSurplus({ routes, proxies }), httpMetrics.count));
  answerBrokenRequests(listener.server);
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

function createKeys({ jwtJwksFile, jwtJwksUrl }: GatewayConfig, log: Logger): Promise<KeySource> | KeySource {
  if (jwtJwksFile !== undefined && jwtJwksUrl === undefined) return createFileKeys({ file: jwtJwksFile, log });
  if (jwtJwksUrl !== undefined && jwtJwksFile === undefined) return createRemoteKeys({ url: jwtJwksUrl, log });
  throw new ConfigError(['exactly one of JWT_JWKS_FILE and JWT_JWKS_URL has to be set']);
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
