import { hash, type KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { KeySet } from './key-set.ts';
import type { KeySource } from './key-source.ts';
import { readClaims, type TimeRules, type VerifiedToken } from './token-claims.ts';
import { TokenError } from './token-error.ts';
import { isTypeAccepted, type ParsedToken, parseToken, readBearerToken } from './token-format.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

/** How long a verified token is not looked at again. */
const REMEMBERED_MS = 60_000;

export interface TokenVerifier {
  /**
   * What the token proved when it was verified last, as long as it has not ended; undefined for all others, guesses
   * above all. Looks nothing up, and lets nobody in: that is for `verify`.
   */
  recall(authorization: readonly string[] | undefined): VerifiedToken | undefined;
  /**
   * What the token of an `Authorization` header (all its lines) proves. Throws `TokenError` whatever is wrong with it,
   * `UNAVAILABLE` when there are no keys to tell.
   */
  verify(authorization: readonly string[] | undefined): Promise<VerifiedToken>;
}

interface Options {
  readonly issuers: readonly TrustedIssuer[];
  readonly times: TimeRules;
  readonly now?: () => number;
  readonly maxRemembered?: number;
}

/** A token that was good when it was verified last. */
interface Remembered {
  readonly token: VerifiedToken;
  /** Whose keys, and which of them: withdrawn keys verify nothing any more. */
  readonly keys: KeySource;
  readonly keySet: KeySet;
  /** When it has to be verified again. */
  readonly freshUntil: number;
}

/** Verifies the JWTs of callers by RFC 8725: the library checks signatures, and the rest is checked here, stricter. */
export function createTokenVerifier({
  issuers,
  times,
  now = Date.now,
  maxRemembered = 10_000,
}: Options): TokenVerifier {
  const byName = new Map(issuers.map((issuer) => [issuer.name, issuer]));
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered });

  /** One of the configuration: nothing that a token says leads anywhere else. */
  function issuerOf(iss: unknown): TrustedIssuer {
    const issuer = (typeof iss === 'string' ? byName.get(iss) : undefined) ?? byName.get(undefined);
    if (issuer === undefined) throw new TokenError('issuer');
    return issuer;
  }

  const isFresh = ({ freshUntil, keys, keySet }: Remembered) => freshUntil > now() && keySet === keys.current();

  async function check(text: string): Promise<Remembered> {
    const parsed = parseToken(text);
    const { keys, algorithms, type, ...rules } = issuerOf(parsed.claims['iss']);
    if (!algorithms.includes(parsed.algorithm)) throw new TokenError('algorithm');
    if (!isTypeAccepted(parsed.type, type)) throw new TokenError('type');
    const { key, keySet } = await findKey(keys, parsed);
    await checkSignature(text, key, parsed.algorithm);
    const token = readClaims(parsed.claims, { ...rules, times }, now());
    return { token, keys, keySet, freshUntil: Math.min(token.expiresAt, now() + REMEMBERED_MS) };
  }

  return {
    recall([line = '', ...more] = []) {
      // Nothing that is no token was ever remembered.
      const known = more.length === 0 ? remembered.get(idOf(line.replace(/^Bearer /i, ''))) : undefined;
      return known !== undefined && known.token.expiresAt > now() ? known.token : undefined;
    },

    async verify(authorization) {
      const text = readBearerToken(authorization);
      const id = idOf(text);
      const known = remembered.get(id);
      if (known !== undefined && isFresh(known)) return known.token;
      try {
        const fresh = await check(text);
        remembered.set(id, fresh);
        return fresh.token;
      } catch (error) {
        // That there are no keys to tell says nothing against it.
        if (error instanceof TokenError) remembered.delete(id);
        throw error;
      }
    },
  };
}

/** Not the token itself: what is kept in memory should be of no use to anybody. */
function idOf(text: string): string {
  return hash('sha256', text, 'base64');
}

async function findKey(keys: KeySource, { algorithm, keyId }: ParsedToken) {
  for (const get of [keys.latest, keys.renewed]) {
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
