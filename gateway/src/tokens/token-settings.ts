import { flag, integer, list, optionalText } from '@survey/runtime/config/kinds';
import type { Config, Setting } from '@survey/runtime/config/settings';
import { isObject } from '@survey/runtime/json/is-object';
import { algorithms } from './key-set.ts';
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

/** The configured issuers: those of JWT_ISSUERS, or the single one. */
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

/** Configuration of a token issuer. */
export interface IssuerConfig {
  /** Required value of the claim `iss`; undefined for any. */
  readonly name: string | undefined;
  /** Location of the public keys: a file or a URL. */
  readonly jwksFile: string | undefined;
  readonly jwksUrl: string | undefined;
  /** Required value in the claim `aud`; undefined for any. */
  readonly audience: string | undefined;
  readonly algorithms: readonly string[];
  /** Required value of the header `typ`. If undefined, `typ` may be missing, `JWT` or `at+jwt`. */
  readonly type: string | undefined;
  /** Tenants whose users the issuer may authenticate; undefined for all. */
  readonly tenants: ReadonlySet<string> | undefined;
}

/** An entry of JWT_ISSUERS. Missing members take the values of JWT_ALGORITHMS and JWT_TYPE. */
type Entry = Omit<IssuerConfig, 'algorithms' | 'type'> & Partial<Pick<IssuerConfig, 'algorithms' | 'type'>>;

const MEMBERS = ['issuer', 'jwks_file', 'jwks_url', 'audience', 'algorithms', 'typ', 'tenants'];

/** Parses JWT_ISSUERS. The text of an error continues a sentence that begins with "JWT_ISSUERS". */
function parseIssuers(raw: string): readonly Entry[] {
  const entries = toList(raw).map(parseEntry);
  const names = entries.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`names ${duplicate} twice`);
  return entries;
}

/** Parses the URL of a JWKS. It must use https or a loopback address, so that nobody can replace keys in transit. */
function parseKeySetUrl(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '')
    throw new Error('needs an https address without a password, or an http one on this machine');
  return url.href;
}

function toList(raw: string): readonly unknown[] {
  const problem = new Error('must be a JSON list with at least one issuer');
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw problem;
  }
  if (!Array.isArray(value) || value.length === 0) throw problem;
  return value;
}

function parseEntry(value: unknown, index: number): Entry {
  try {
    if (!isObject(value)) throw new Error('must be an object');
    const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
    if (unknown !== undefined) throw new Error(`has an unknown member ${unknown}`);
    return toEntry(value);
  } catch (error) {
    throw new Error(`is invalid: entry ${index} ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toEntry(entry: Readonly<Record<string, unknown>>): Entry {
  const name = textOf(entry, 'issuer');
  if (name === undefined) throw new Error('must name its issuer');
  const [jwksFile, jwksUrl] = [textOf(entry, 'jwks_file'), textOf(entry, 'jwks_url')];
  if ((jwksFile === undefined) === (jwksUrl === undefined)) throw new Error('must have one of jwks_url and jwks_file');
  const [algorithmNames, type, tenants] = [
    textsOf(entry, 'algorithms'),
    textOf(entry, 'typ'),
    textsOf(entry, 'tenants'),
  ];
  if (algorithmNames?.some((algorithm) => !algorithms.includes(algorithm)))
    throw new Error(`has an unknown algorithm: use ${algorithms.join(', ')}`);
  return {
    name,
    jwksFile,
    jwksUrl: jwksUrl === undefined ? undefined : parseKeySetUrl(jwksUrl),
    audience: textOf(entry, 'audience'),
    tenants: tenants === undefined ? undefined : new Set(tenants),
    ...(algorithmNames === undefined ? {} : { algorithms: algorithmNames }),
    ...(type === undefined ? {} : { type }),
  };
}

function textOf(entry: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = entry[member];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new Error(`must have text as ${member}`);
  return value;
}

function textsOf(entry: Readonly<Record<string, unknown>>, member: string): readonly string[] | undefined {
  const value = entry[member];
  if (value === undefined) return undefined;
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item);
  if (!isTexts) throw new Error(`must have a list of texts as ${member}`);
  return value;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
