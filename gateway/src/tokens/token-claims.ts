import { type JsonObject, TokenError } from './token-format.ts';

const TENANT_ID = /^[\x21-\x7e]{1,128}$/;
/** Excludes control characters and lone surrogates, which other programs would replace. */
const TEXT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** An authenticated user. */
export interface Principal {
  readonly tenantId: string;
  readonly subject: string;
  /** The API key that authenticates the user; undefined if a token does. */
  readonly apiKeyId?: string;
}

export interface VerifiedToken {
  readonly principal: Principal;
  /** The claim `jti`, by which a token can be revoked. */
  readonly tokenId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Requirements for claims. */
export interface ClaimRules {
  /** Required value in `aud`; undefined for any. */
  readonly audience: string | undefined;
  /** Tenants whose users the issuer may authenticate; undefined for all. */
  readonly tenants: ReadonlySet<string> | undefined;
  readonly times: TimeRules;
}

export interface TimeRules {
  /** Longest time from `iat` to `exp`. */
  readonly maxLifetimeSeconds: number;
  /** Time by which the clock of an identity provider may be ahead. */
  readonly clockSkewSeconds: number;
  /** Whether tokens need `exp`. If not, a token without it expires after the maximum lifetime. */
  readonly isExpiryRequired: boolean;
}

/** Checks the claims of a token with a valid signature. Throws `TokenError`. */
export function readClaims(claims: JsonObject, rules: ClaimRules, now: number): VerifiedToken {
  const { aud, jti, sub, tenant_id: tenantId } = claims;
  const expiresAt = readExpiry(claims, rules.times, now / 1000) * 1000;
  if (rules.audience !== undefined && !hasAudience(rules.audience, aud)) throw new TokenError('audience');
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) throw new TokenError('claims');
  if (rules.tenants?.has(tenantId) === false) throw new TokenError('tenant');
  if (!isText(sub) || !(jti === undefined || isText(jti))) throw new TokenError('claims');
  return { principal: { tenantId, subject: sub }, tokenId: jti, expiresAt };
}

/** Returns the expiry, in seconds since the epoch. `exp` has no tolerance, so a stolen token does not live longer. */
function readExpiry({ exp, iat, nbf }: JsonObject, rules: TimeRules, nowSeconds: number): number {
  const { maxLifetimeSeconds, clockSkewSeconds, isExpiryRequired } = rules;
  if (![exp, iat, nbf].every((time) => time === undefined || isTime(time))) throw new TokenError('claims');
  const issuedAt = Number(iat ?? nowSeconds);
  // Without `exp` and `iat`, the token would never expire.
  if (exp === undefined && (isExpiryRequired || iat === undefined)) throw new TokenError('claims');
  const expiry = Number(exp ?? issuedAt + maxLifetimeSeconds);
  if (expiry <= nowSeconds) throw new TokenError('expired');
  if (Math.max(issuedAt, Number(nbf ?? 0)) > nowSeconds + clockSkewSeconds) throw new TokenError('not_yet_valid');
  if (expiry - issuedAt > maxLifetimeSeconds) throw new TokenError('lifetime');
  return expiry;
}

function hasAudience(audience: string, aud: unknown): boolean {
  return Array.isArray(aud)
    ? aud.every((name) => typeof name === 'string') && aud.includes(audience)
    : aud === audience;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && TEXT.test(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
