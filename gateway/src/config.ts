import type { Backend } from '@survey/proto/catalog';
import { processSettings } from '@survey/runtime/config/common-settings';
import { integer, list, optionalText, optionalUrl, port, text, url } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { mapBackends } from './backends.ts';
import { ANY_ORIGIN, isOrigin } from './http/cors.ts';
import { limitSettings } from './limits/limit-settings.ts';
import { tokenSettings } from './tokens/token-settings.ts';

export const settings = {
  ...processSettings,
  port: port({ env: 'PORT', fallback: '8080', help: 'Port of the public API.' }),
  ...backendSettings('Url', restUrl),
  ...backendSettings('AdminUrl', adminUrl),
  gatewayAdminUrl: optionalUrl({
    env: 'GATEWAY_ADMIN_URL',
    help: 'Admin port of the gateways under a name that resolves to every replica. Without it /metrics knows this one only.',
  }),
  identityGrpcAddress: text({
    env: 'IDENTITY_GRPC_ADDRESS',
    help: 'gRPC of the identity service: host:port, or a gRPC target.',
  }),
  ...tokenSettings,
  trustedProxies: integer({
    env: 'TRUSTED_PROXIES',
    fallback: '0',
    min: 0,
    max: 16,
    help: 'Proxies before the gateway that add to X-Forwarded-For. With 0 the header is not read.',
  }),
  ...limitSettings,
  corsOrigins: origins(),
  hstsMaxAgeSeconds: integer({
    env: 'HSTS_MAX_AGE_S',
    fallback: '0',
    min: 0,
    max: 63_072_000,
    help: 'How long browsers shall ask over TLS alone (Strict-Transport-Security), where something before the gateway speaks it. Seconds; with 0 it is not said.',
  }),
  metricsToken: {
    ...optionalText({ env: 'METRICS_TOKEN', help: 'Bearer token that /metrics demands; open when not set.' }),
    secret: true,
  },
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
  // As they were just named.
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
  const words = list({
    env: 'CORS_ORIGINS',
    fallback: '',
    help: 'Origins whose scripts may use the public routes, as https://forms.example, with commas between them, or * for all. Those of tenants are never open to them.',
  });
  return {
    ...words,
    parse: (raw) => {
      const names = words.parse(raw);
      const isAny = names.length === 1 && names[0] === ANY_ORIGIN;
      if (!isAny && !names.every(isOrigin))
        throw new Error(`has to name origins, as https://forms.example, or be ${ANY_ORIGIN}`);
      return names;
    },
  };
}
