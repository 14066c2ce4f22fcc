import type { Backend } from '@survey/proto/catalog';
import { metricsMaxSeries, processSettings } from '@survey/runtime/config/common-settings';
import { choice, flag, integer, list, optionalText, optionalUrl, port, text, url } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { mapBackends } from './backends.ts';
import { ANY_ORIGIN, isAllowedOriginSetting } from './http/cors.ts';
import { limitSettings } from './rates/limit-settings.ts';
import { tokenSettings } from './tokens/token-settings.ts';
import { webAppSettings } from './web-apps/web-app-settings.ts';

export const settings = {
  ...processSettings,
  port: port({ env: 'PORT', fallback: '8080', help: 'Port of the public API.' }),
  ...backendSettings('Url', restUrl),
  ...backendSettings('AdminUrl', adminUrl),
  gatewayAdminUrl: optionalUrl({
    env: 'GATEWAY_ADMIN_URL',
    help: 'Admin port of the gateways under a name that resolves to every replica. Without it, /metrics covers this gateway only.',
  }),
  identityGrpcAddress: text({
    env: 'IDENTITY_GRPC_ADDRESS',
    help: 'gRPC address of the identity service: host:port, or a gRPC target.',
  }),
  ...tokenSettings,
  trustedProxies: integer({
    env: 'TRUSTED_PROXIES',
    fallback: '0',
    min: 0,
    max: 16,
    help: 'Number of proxies in front of the gateway that add to X-Forwarded-For. With 0, the header is ignored.',
  }),
  ...limitSettings,
  corsOrigins: origins(),
  docsKeepToken: flag({
    env: 'DOCS_KEEP_TOKEN',
    fallback: 'false',
    help: 'Whether /docs keeps the token of a developer in the session storage of the browser tab. Only for local stacks: scripts of this origin can read it.',
  }),
  ...webAppSettings,
  hstsMaxAgeSeconds: integer({
    env: 'HSTS_MAX_AGE_S',
    fallback: '0',
    min: 0,
    max: 63_072_000,
    help: 'max-age of Strict-Transport-Security, in seconds. For this time, browsers use TLS only. 0 omits the header. Set it if a proxy in front of the gateway terminates TLS.',
  }),
  metricsToken: {
    ...optionalText({
      env: 'METRICS_TOKEN',
      help: 'Bearer token that /metrics of the public port requires. Without it, METRICS_PAGE decides.',
    }),
    secret: true,
  },
  metricsMaxSeries,
  metricsPage: choice({
    env: 'METRICS_PAGE',
    fallback: 'off',
    values: ['off', 'totals', 'public'],
    help: 'Content of /metrics on the public port if METRICS_TOKEN is not set: nothing (off), totals without ids of tenants and surveys (totals), or everything (public, only for local stacks). Prometheus does not need it: it scrapes ADMIN_PORT.',
  }),
};

export type GatewayConfig = Config<typeof settings>;

/** The addresses of the REST API and the admin port of each service. */
export function toBackendUrls(config: GatewayConfig) {
  return {
    urls: mapBackends((name) => config[`${name}Url`]),
    adminUrls: mapBackends((name) => config[`${name}AdminUrl`]),
  };
}

function backendSettings<Kind extends string>(kind: Kind, make: (name: Backend) => Setting<string>) {
  const entries = Object.entries(mapBackends(make)).map(([name, setting]) => [name + kind, setting]);
  // The entries have exactly these names.
  return Object.fromEntries(entries) as Readonly<Record<`${Backend}${Kind}`, Setting<string>>>;
}

function restUrl(name: Backend): Setting<string> {
  return url({ env: `${name.toUpperCase()}_URL`, help: `REST API of the ${name} service.` });
}

function adminUrl(name: Backend): Setting<string> {
  return url({
    env: `${name.toUpperCase()}_ADMIN_URL`,
    help: `Admin port of the ${name} service, under a name that resolves to every replica.`,
  });
}

function origins(): Setting<readonly string[]> {
  const setting = list({
    env: 'CORS_ORIGINS',
    fallback: '',
    help: 'Comma-separated origins whose scripts may use the public routes, such as https://forms.example, or * for all. For development, http://localhost:* and http://127.0.0.1:* allow every port of this machine. Routes that need a token of a tenant are never open to scripts of other origins.',
  });
  return {
    ...setting,
    parse: (raw) => {
      const origins = setting.parse(raw);
      const isAny = origins.length === 1 && origins[0] === ANY_ORIGIN;
      if (!isAny && !origins.every(isAllowedOriginSetting))
        throw new Error(`must list origins, such as https://forms.example, or be ${ANY_ORIGIN}`);
      return origins;
    },
  };
}
