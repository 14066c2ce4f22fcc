import { flag, integer, list, optionalText } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { algorithms } from './algorithms.ts';
import { type IssuerConfig, parseIssuers, parseKeySetUrl } from './issuer-config.ts';
import type { TimeRules } from './token-claims.ts';

/** Settings of the single issuer, if JWT_ISSUERS is not set. */
const SINGLE = ['JWT_JWKS_FILE', 'JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'];

/** Environment variables for the tokens that the gateway accepts. */
export const tokenSettings = {
  jwtJwksFile: {
    ...optionalText({
      env: 'JWT_JWKS_FILE',
      help: 'JWKS file with the public keys for tokens of callers. Read again when it changes.',
    }),
    check: (rawValueOf) => {
      const sources = ['JWT_JWKS_FILE', 'JWT_JWKS_URL', 'JWT_ISSUERS'].filter((env) => rawValueOf(env) !== '');
      return sources.length === 0 ? 'is not set: set it, JWT_JWKS_URL or JWT_ISSUERS' : undefined;
    },
  },
  jwtJwksUrl: {
    env: 'JWT_JWKS_URL',
    fallback: '',
    help: 'URL of the JWKS at the identity provider: https, or http to a loopback address.',
    parse: (raw) => (raw === '' ? undefined : parseKeySetUrl(raw)),
    check: (rawValueOf) =>
      rawValueOf('JWT_JWKS_URL') !== '' && rawValueOf('JWT_JWKS_FILE') !== ''
        ? 'cannot be set together with JWT_JWKS_FILE'
        : undefined,
  },
  jwtIssuer: optionalText({ env: 'JWT_ISSUER', help: 'Required value of the claim iss. Any if not set.' }),
  jwtAudience: optionalText({ env: 'JWT_AUDIENCE', help: 'Required value in the claim aud. Any if not set.' }),
  jwtIssuers: {
    env: 'JWT_ISSUERS',
    fallback: '',
    help: 'Several issuers, instead of the variables above: a JSON list of {"issuer", "jwks_url" or "jwks_file", "audience"?, "algorithms"?, "typ"?, "tenants"?: ids of the tenants whose users the issuer may authenticate}.',
    parse: (raw) => (raw === '' ? [] : parseIssuers(raw)),
    check: (rawValueOf) => {
      const conflicting = rawValueOf('JWT_ISSUERS') === '' ? [] : SINGLE.filter((env) => rawValueOf(env) !== '');
      return conflicting.length === 0 ? undefined : `replaces ${conflicting.join(', ')}: remove those, or JWT_ISSUERS`;
    },
  },
  jwtAlgorithms: algorithmList(),
  jwtType: optionalText({
    env: 'JWT_TYPE',
    help: 'Required value of the header typ, such as at+jwt, for issuers without a typ of their own. If not set: JWT, at+jwt or none.',
  }),
  jwtRequireExpiry: flag({
    env: 'JWT_REQUIRE_EXP',
    fallback: 'true',
    help: 'Whether tokens need the claim exp. If not, tokens without exp need iat, and expire JWT_MAX_LIFETIME_S after it.',
  }),
  jwtMaxLifetimeSeconds: integer({
    env: 'JWT_MAX_LIFETIME_S',
    fallback: '2592000',
    min: 1,
    max: 315_360_000,
    help: 'Maximum lifetime of a token in seconds, from its claim iat to exp.',
  }),
  jwtClockSkewSeconds: integer({
    env: 'JWT_CLOCK_SKEW_S',
    fallback: '30',
    min: 0,
    max: 300,
    help: 'Maximum lead of the clock of an issuer, in seconds. Applies to iat and nbf, never to exp.',
  }),
} satisfies Readonly<Record<string, Setting<unknown>>>;

/** The configured issuers: one, or those of JWT_ISSUERS. */
export function toIssuerConfigs(config: Config<typeof tokenSettings>): readonly IssuerConfig[] {
  const { jwtJwksFile, jwtJwksUrl, jwtIssuers, jwtAlgorithms, jwtType } = config;
  const common = { algorithms: jwtAlgorithms, type: jwtType };
  if (jwtIssuers.length > 0) return jwtIssuers.map((issuer) => ({ ...common, ...issuer }));
  const single = { name: config.jwtIssuer, audience: config.jwtAudience, tenants: undefined };
  return [{ ...common, ...single, jwksFile: jwtJwksFile, jwksUrl: jwtJwksUrl }];
}

export function toTimeRules(config: Config<typeof tokenSettings>): TimeRules {
  return {
    maxLifetimeSeconds: config.jwtMaxLifetimeSeconds,
    clockSkewSeconds: config.jwtClockSkewSeconds,
    isExpiryRequired: config.jwtRequireExpiry,
  };
}

function algorithmList(): Setting<readonly string[]> {
  const setting = list({
    env: 'JWT_ALGORITHMS',
    fallback: 'ES256,RS256,EdDSA',
    help: 'Comma-separated signature algorithms of tokens, for issuers without algorithms of their own. A key without alg uses the first of these that fits its type.',
  });
  return {
    ...setting,
    parse: (raw) => {
      const names = setting.parse(raw);
      if (names.length === 0 || names.some((name) => !algorithms.includes(name)))
        throw new Error(`must name some of ${algorithms.join(', ')}`);
      return names;
    },
  };
}
