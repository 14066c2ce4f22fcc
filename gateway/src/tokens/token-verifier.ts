import { hash, type KeyObject } from 'node:crypto';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { compactVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { KeySet } from './key-set.ts';
import { readClaims, type TimeRules, type VerifiedToken } from './token-claims.ts';
import {
  BEARER_SCHEME,
  isTypeAccepted,
  type ParsedToken,
  parseToken,
  readBearerToken,
  TokenError,
} from './token-format.ts';
import type { KeySource, TrustedIssuer } from './trusted-issuers.ts';

/** Time for which a verified token is cached. */
const CACHE_TTL_MS = 60_000;

export type TokenVerifier = ReturnType<typeof createTokenVerifier>;

interface Options {
  readonly issuers: readonly TrustedIssuer[];
  readonly times: TimeRules;
  readonly clock?: () => Date;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
  readonly maxCached?: number;
}

/** A token that was valid when it was last verified. */
interface CachedToken {
  readonly token: VerifiedToken;
  readonly keySource: KeySource;
  /** The keys that verified the token. The token is verified again when `keySource` has other keys. */
  readonly keySet: KeySet;
  /** Time of `now` from which the token must be verified again. */
  readonly freshUntil: number;
}

/** Verifies JWTs as RFC 8725 recommends. jose checks only signatures here, because its other checks are less strict. */
export function createTokenVerifier(options: Options) {
  const { issuers, times, clock = () => new Date(), now = () => performance.now(), maxCached = 10_000 } = options;
  const issuersByName = new Map(issuers.map((issuer) => [issuer.name, issuer]));
  const cache = new LRUCache<string, CachedToken>(maxEntries(maxCached));

  /** Finds the configured issuer with this name, or the one without a name. A token cannot introduce an issuer. */
  function issuerOf(iss: unknown): TrustedIssuer {
    const issuer = (typeof iss === 'string' ? issuersByName.get(iss) : undefined) ?? issuersByName.get(undefined);
    if (issuer === undefined) throw new TokenError('issuer');
    return issuer;
  }

  const isExpired = ({ token }: CachedToken) => token.expiresAt <= clock().getTime();
  const isFresh = (cached: CachedToken) =>
    !isExpired(cached) && cached.freshUntil > now() && cached.keySet === cached.keySource.current();

  async function verifyUncached(text: string): Promise<CachedToken> {
    const parsed = parseToken(text);
    const { keys: keySource, algorithms, type, ...rules } = issuerOf(parsed.claims['iss']);
    if (!algorithms.includes(parsed.algorithm)) throw new TokenError('algorithm');
    if (!isTypeAccepted(parsed.type, type)) throw new TokenError('type');
    const { key, keySet } = await findKey(keySource, parsed);
    await checkSignature(text, key, parsed.algorithm);
    const token = readClaims(parsed.claims, { ...rules, times }, clock().getTime());
    return { token, keySource, keySet, freshUntil: now() + CACHE_TTL_MS };
  }

  return {
    /** Returns a cached token, unless it has expired. For limits before authentication, not to authenticate. */
    findCached([line = '', ...more]: readonly string[] = []): VerifiedToken | undefined {
      // Only valid tokens are in the cache.
      const cached = more.length === 0 ? cache.get(idOf(line.replace(BEARER_SCHEME, ''))) : undefined;
      return cached === undefined || isExpired(cached) ? undefined : cached.token;
    },

    /** Throws `TokenError` for an invalid token, and `UNAVAILABLE` if the keys cannot be loaded. */
    async verify(authorization: readonly string[] | undefined): Promise<VerifiedToken> {
      const text = readBearerToken(authorization);
      const id = idOf(text);
      const cached = cache.get(id);
      if (cached !== undefined && isFresh(cached)) return cached.token;
      try {
        const fresh = await verifyUncached(text);
        cache.set(id, fresh);
        return fresh.token;
      } catch (error) {
        // If the keys cannot be loaded, keep the cached token: it may be valid.
        if (error instanceof TokenError) cache.delete(id);
        throw error;
      }
    },
  };
}

/** Hashes a token, so that the cache holds no secrets. */
function idOf(text: string): string {
  return hash('sha256', text, 'base64');
}

async function findKey(keySource: KeySource, { algorithm, keyId }: ParsedToken) {
  // An unknown key id can be new: look again after a reload.
  for (const get of [keySource.usable, keySource.reload]) {
    const keySet = await get();
    const key = keySet.find(algorithm, keyId);
    if (key !== undefined) return { key, keySet };
  }
  throw new TokenError('unknown_key');
}

async function checkSignature(text: string, key: KeyObject, algorithm: string): Promise<void> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
  } catch (cause) {
    throw new TokenError('signature', { cause });
  }
}
