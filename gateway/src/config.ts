import type { Backend } from '@survey/proto/catalog';
import { processSettings } from '@survey/runtime/config/common-settings';
import { integer, list, optionalText, optionalUrl, port, text, url } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { mapBackends } from './backends.ts';

/** Signatures that a tenant's identity provider may use; none with a shared secret. */
const ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
];

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
  jwtJwksFile: optionalText({
    env: 'JWT_JWKS_FILE',
    help: 'JWKS with the public keys that sign the tokens of callers. Read again when it changes.',
  }),
  jwtJwksUrl: optionalUrl({
    env: 'JWT_JWKS_URL',
    help: 'Address of that JWKS at the identity provider; one of JWT_JWKS_FILE and JWT_JWKS_URL has to be set.',
  }),
  jwtIssuer: optionalText({ env: 'JWT_ISSUER', help: 'What the claim iss has to be; any when not set.' }),
  jwtAudience: optionalText({ env: 'JWT_AUDIENCE', help: 'What the claim aud has to name; any when not set.' }),
  jwtAlgorithms: algorithms(),
  jwtMaxLifetimeSeconds: integer({
    env: 'JWT_MAX_LIFETIME_S',
    fallback: '2592000',
    min: 1,
    max: 315_360_000,
    help: 'The longest that a token may be valid, from its claim iat to exp. Seconds.',
  }),
  trustedProxies: integer({
    env: 'TRUSTED_PROXIES',
    fallback: '0',
    min: 0,
    max: 16,
    help: 'Proxies before the gateway that add to X-Forwarded-For. With 0 the header is not read.',
  }),
  metricsToken: {
    ...optionalText({ env: 'METRICS_TOKEN', help: 'Bearer token that /metrics demands; open when not set.' }),
    secret: true,
  },
};

export type GatewayConfig = Config<typeof settings>;

/** Where a service listens. */
export interface BackendAddress {
  readonly url: string;
  readonly adminUrl: string;
}

export function toBackendAddresses(config: GatewayConfig): Readonly<Record<Backend, BackendAddress>> {
  return mapBackends((name) => ({ url: config[`${name}Url`], adminUrl: config[`${name}AdminUrl`] }));
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

function algorithms(): Setting<readonly string[]> {
  const words = list({
    env: 'JWT_ALGORITHMS',
    fallback: 'ES256,RS256,EdDSA',
    help: 'Signature algorithms that tokens may use, with commas between them.',
  });
  return {
    ...words,
    parse: (raw) => {
      const names = words.parse(raw);
      if (names.length === 0 || names.some((name) => !ALGORITHMS.includes(name)))
        throw new Error(`has to name some of ${ALGORITHMS.join(', ')}`);
      return names;
    },
  };
}
