import { TokenError } from './token-error.ts';
import type { JsonObject } from './token-format.ts';

const TENANT_ID = /^[\x21-\x7e]{1,128}$/;
/** No half of a character either: what others make of one is not the same text any more. */
const TEXT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Who a verified token says its bearer is. */
export interface Principal {
  readonly tenantId: string;
  readonly subject: string;
}

export interface VerifiedToken {
  readonly principal: Principal;
  /** The claim `jti`, by which it may be revoked. */
  readonly tokenId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What is expected of claims beyond their form. */
export interface ClaimRules {
  /** What `aud` has to name; undefined for anything. */
  readonly audience: string | undefined;
  /** The tenants that the issuer speaks for; undefined for all. */
  readonly tenants: ReadonlySet<string> | undefined;
  readonly times: TimeRules;
}

export interface TimeRules {
  /** The longest from `iat` to `exp`. */
  readonly maxLifetimeSeconds: number;
  /** How far the clock of an identity provider may be ahead of ours. */
  readonly clockSkewSeconds: number;
  /** Whether a token without `exp` is refused; else it ends when its lifetime does. */
  readonly isExpiryRequired: boolean;
}

/** Reads the claims of a token whose signature holds. Throws `TokenError`. */
export function readClaims(claims: JsonObject, rules: ClaimRules, now: number): VerifiedToken {
  const { aud, jti, sub, tenant_id: tenantId } = claims;
  const expiresAt = readEnd(claims, rules.times, now / 1000) * 1000;
  if (rules.audience !== undefined && !isNamed(rules.audience, aud)) throw new TokenError('audience');
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) throw new TokenError('claims');
  if (rules.tenants?.has(tenantId) === false) throw new TokenError('tenant');
  if (!isText(sub) || !(jti === undefined || isText(jti))) throw new TokenError('claims');
  return { principal: { tenantId, subject: sub }, tokenId: jti, expiresAt };
}

/**
 * When a token ends, in seconds. `exp` holds to the second, without tolerance: a bearer can always get a new token, but
 * cannot do anything about one that lives on.
 */
function readEnd({ exp, iat, nbf }: JsonObject, rules: TimeRules, now: number): number {
  const { maxLifetimeSeconds, clockSkewSeconds, isExpiryRequired } = rules;
  if (![exp, iat, nbf].every((time) => time === undefined || isTime(time))) throw new TokenError('claims');
  const issuedAt = Number(iat ?? now);
  // Without both nothing would ever end it.
  if (exp === undefined && (isExpiryRequired || iat === undefined)) throw new TokenError('claims');
  const end = Number(exp ?? issuedAt + maxLifetimeSeconds);
  if (end <= now) throw new TokenError('expired');
  if (Math.max(issuedAt, Number(nbf ?? 0)) > now + clockSkewSeconds) throw new TokenError('not_yet_valid');
  if (end - issuedAt > maxLifetimeSeconds) throw new TokenError('lifetime');
  return end;
}

function isNamed(audience: string, aud: unknown): boolean {
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
