import { createHash } from 'node:crypto';
import { AppError } from '@survey/runtime/errors/app-error';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { KeySource } from './key-source.ts';
import { CLOCK_SKEW_S, type Principal, readClaims, type VerifiedToken } from './token-claims.ts';
import { type Rejection, TokenError } from './token-error.ts';
import { readToken } from './token-format.ts';

/** How long a verified token is not looked at again, so that a withdrawn key is felt. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

export interface TokenVerifier {
  /**
   * The principal that an `Authorization` header (all its lines) stands for. Throws `TokenError` whatever is wrong
   * with it, `UNAVAILABLE` when there are no keys to tell.
   */
  verify(authorization: readonly string[] | undefined): Promise<Principal>;
}

interface Options {
  readonly keys: KeySource;
  readonly algorithms: readonly string[];
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly maxLifetimeSeconds: number;
  readonly now?: () => number;
}

/** Verifies the JWTs of callers by RFC 8725 and stricter than jose does. */
export function createTokenVerifier(options: Options): TokenVerifier {
  const { keys, issuer, audience, maxLifetimeSeconds, now = Date.now } = options;
  const algorithms = new Set(options.algorithms);
  const remembered = new LRUCache<string, { principal: Principal; until: number }>({ max: MAX_REMEMBERED });

  const findKey: typeof keys.find = async (header, input) => {
    try {
      return await keys.find(header, input);
    } catch (cause) {
      throw cause instanceof AppError ? cause : new TokenError('unknown_key', { cause });
    }
  };

  async function check(token: string): Promise<VerifiedToken> {
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: [...algorithms],
        clockTolerance: CLOCK_SKEW_S,
        requiredClaims: ['exp', 'sub', 'tenant_id'],
        currentDate: new Date(now()),
        ...(issuer === undefined ? {} : { issuer }),
        ...(audience === undefined ? {} : { audience }),
      });
      return readClaims(payload, now(), maxLifetimeSeconds);
    } catch (error) {
      throw error instanceof AppError || error instanceof TokenError
        ? error
        : new TokenError(toRejection(error), { cause: error });
    }
  }

  return {
    async verify(authorization) {
      const token = readToken(authorization, algorithms);
      // Not the token itself: what is kept in memory should be of no use to anybody.
      const id = createHash('sha256').update(token).digest('base64');
      const known = remembered.get(id);
      if (known !== undefined && known.until > now()) return known.principal;
      const { principal, expiresAt } = await check(token);
      remembered.set(id, { principal, until: Math.min(expiresAt, now() + REMEMBERED_MS) });
      return principal;
    },
  };
}

function toRejection(error: unknown): Rejection {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return toClaimRejection(error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  return 'malformed';
}

function toClaimRejection({ claim, reason }: errors.JWTClaimValidationFailed): Rejection {
  if (claim === 'iss') return 'issuer';
  if (claim === 'aud') return 'audience';
  return claim === 'nbf' && reason === 'check_failed' ? 'not_yet_valid' : 'claims';
}
