import { setTimeout as sleep } from 'node:timers/promises';
import { createAdminServer } from '@survey/runtime/service/admin-server';
import { createHealth } from '@survey/runtime/service/health';
import { ADMIN_GRACE_MS, type App, timeToFinishCalls } from '@survey/runtime/service/run-process';
import type { Logger } from 'pino';
import { createApiModule } from './api/module.ts';
import { createAuthenticationModule } from './authentication/module.ts';
import { type GatewayConfig, toBackendUrls } from './config.ts';
import { createForwardingModule } from './forwarding/module.ts';
import { createPlatformHealth } from './health/platform-health.ts';
import { createMetricsModule } from './metrics/module.ts';
import { createLimitModule } from './rates/module.ts';
import { createGatewayRuntime } from './runtime.ts';

/** The gateway, and the ports that it listens on once it is started. */
export interface GatewayApp extends App {
  readonly ports: () => { readonly port: number; readonly adminPort: number };
}

/** Creates the gateway. Each feature uses only features created before it. */
export async function createGatewayApp(config: GatewayConfig, log: Logger): Promise<GatewayApp> {
  const runtime = await createGatewayRuntime(config, log);
  const { urls, adminUrls } = toBackendUrls(config);
  const { authenticator, checkKeys } = await createAuthenticationModule(runtime, config);
  const { proxies, endWaits, close: closeProxies } = createForwardingModule(runtime, urls);
  const limits = createLimitModule(runtime, config);
  const metrics = createMetricsModule(runtime, { ...config, adminUrls });
  const platformHealth = createPlatformHealth(Object.values(adminUrls));
  const api = createApiModule(runtime, { ...config, ...limits, ...metrics, authenticator, proxies, platformHealth });
  const health = createHealth({ checks: { keys: checkKeys }, needed: ['keys'], registry: runtime.registry });
  const admin = createAdminServer({ health, registry: runtime.registry, log });
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
      // Nobody sends requests to a gateway that never served.
      if (serving) await sleep(config.drainMs);
      endWaits();
      await api.close(timeToFinishCalls(config.stopMs));
      closeProxies();
      metrics.stopSelection();
      runtime.close();
      await admin.close(ADMIN_GRACE_MS);
    },
  };
}
