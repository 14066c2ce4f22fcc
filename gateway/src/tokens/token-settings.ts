import { flag, integer, list, optionalText } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { algorithms } from './algorithms.ts';
import { type IssuerConfig, parseIssuers, parseKeySetUrl } from './issuer-config.ts';
import type { TimeRules } from './token-claims.ts';

/** Of the one issuer that there is without JWT_ISSUERS. */
const SINGLE = ['JWT_JWKS_FILE', 'JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'];

/** Which tokens of callers are believed. */
export const tokenSettings = {
  jwtJwksFile: {
    ...optionalText({
      env: 'JWT_JWKS_FILE',
      help: 'JWKS with the public keys that sign the tokens of callers. Read again when it changes.',
    }),
    check: (given) => {
      const sources = ['JWT_JWKS_FILE', 'JWT_JWKS_URL', 'JWT_ISSUERS'].filter((env) => given(env) !== '');
      return sources.length === 0 ? 'has to be set, or JWT_JWKS_URL, or JWT_ISSUERS' : undefined;
    },
  },
  jwtJwksUrl: {
    env: 'JWT_JWKS_URL',
    fallback: '',
    help: 'Address of that JWKS at the identity provider; https, or http on this machine.',
    parse: (raw) => (raw === '' ? undefined : parseKeySetUrl(raw)),
    check: (given) =>
      given('JWT_JWKS_URL') !== '' && given('JWT_JWKS_FILE') !== '' ? 'cannot be set beside JWT_JWKS_FILE' : undefined,
  },
  jwtIssuer: optionalText({ env: 'JWT_ISSUER', help: 'What the claim iss has to be; any when not set.' }),
  jwtAudience: optionalText({ env: 'JWT_AUDIENCE', help: 'What the claim aud has to name; any when not set.' }),
  jwtIssuers: {
    env: 'JWT_ISSUERS',
    fallback: '',
    help: 'Several issuers, in the place of the variables above: a JSON list of {"issuer", "jwks_url" or "jwks_file", "audience"?, "algorithms"?, "typ"?, "tenants"?: ids of the tenants that the issuer speaks for}.',
    parse: (raw) => (raw === '' ? [] : parseIssuers(raw)),
    check: (given) => {
      const surplus = given('JWT_ISSUERS') === '' ? [] : SINGLE.filter((env) => given(env) !== '');
      return surplus.length === 0 ? undefined : `says it all: ${surplus.join(', ')} cannot be set beside it`;
    },
  },
  jwtAlgorithms: algorithmList(),
  jwtType: optionalText({
    env: 'JWT_TYPE',
    help: 'What the header typ has to be, at+jwt for example, for issuers that have no typ of their own. When not set: JWT, at+jwt or none.',
  }),
  jwtRequireExpiry: flag({
    env: 'JWT_REQUIRE_EXP',
    fallback: 'true',
    help: 'Whether tokens without the claim exp are refused. If not, they end JWT_MAX_LIFETIME_S after their iat, which they need then.',
  }),
  jwtMaxLifetimeSeconds: integer({
    env: 'JWT_MAX_LIFETIME_S',
    fallback: '2592000',
    min: 1,
    max: 315_360_000,
    help: 'The longest that a token may be valid, from its claim iat to exp. Seconds.',
  }),
  jwtClockSkewSeconds: integer({
    env: 'JWT_CLOCK_SKEW_S',
    fallback: '30',
    min: 0,
    max: 300,
    help: 'How far the clock of an issuer may be ahead: holds for iat and nbf, never for exp. Seconds.',
  }),
} satisfies Readonly<Record<string, Setting<unknown>>>;

/** The issuers that are configured, one or several. */
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
  const words = list({
    env: 'JWT_ALGORITHMS',
    fallback: 'ES256,RS256,EdDSA',
    help: 'Signature algorithms that tokens may use, with commas between them, for issuers that name none of their own. A key that names no algorithm is for the first one here that fits it.',
  });
  return {
    ...words,
    parse: (raw) => {
      const names = words.parse(raw);
      if (names.length === 0 || names.some((name) => !algorithms.includes(name)))
        throw new Error(`has to name some of ${algorithms.join(', ')}`);
      return names;
    },
  };
}
