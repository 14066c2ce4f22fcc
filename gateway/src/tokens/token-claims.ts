import type { JWTPayload } from 'jose';
import { TokenError } from './token-error.ts';

/** How far the clock of an identity provider may be ahead of ours. */
export const CLOCK_SKEW_S = 30;

const TENANT_ID = /^[\x21-\x7e]{1,128}$/;
const SUBJECT = /^[^\p{Cc}]{1,255}$/u;

/** Who a verified token says its bearer is. */
export interface Principal {
  readonly tenantId: string;
  readonly subject: string;
}

export interface VerifiedToken {
  readonly principal: Principal;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Reads the claims of a token whose signature holds. `exp` holds to the second, without tolerance: a bearer can always
 * get a new token, but cannot do anything about one that lives on.
 */
export function readClaims(claims: JWTPayload, now: number, maxLifetimeSeconds: number): VerifiedToken {
  const { exp, iat, nbf, sub, tenant_id: tenantId } = claims;
  const seconds = now / 1000;
  if (!isTime(exp) || !(iat === undefined || isTime(iat)) || !(nbf === undefined || isTime(nbf)))
    throw new TokenError('claims');
  if (exp <= seconds) throw new TokenError('expired');
  if (iat !== undefined && iat > seconds + CLOCK_SKEW_S) throw new TokenError('not_yet_valid');
  if (exp - (iat ?? seconds) > maxLifetimeSeconds) throw new TokenError('lifetime');
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) throw new TokenError('claims');
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw new TokenError('claims');
  return { principal: { tenantId, subject: sub }, expiresAt: exp * 1000 };
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
