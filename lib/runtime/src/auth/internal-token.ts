import { hash } from 'node:crypto';
import { importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type FileObserver, type FollowedSecret, followSecret } from '../config/follow-files.ts';
import { AppError } from '../errors/app-error.ts';
import { maxEntries } from '../flow/memoize.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Caller } from './caller.ts';
import type { KeySet } from './key-set.ts';
import { toTenantId } from './tenant-id.ts';

const LIFETIME_S = 60;
/**
 * A token is reused only while it lives longer than this, in seconds. The gateway waits for a reply for a shorter time
 * (35 s), so a token does not expire during a call.
 */
const MIN_REMAINING_S = 40;
const CLOCK_TOLERANCE_S = 5;
/** Cache time of a verified token, in milliseconds. */
const VERIFIED_TTL_MS = 5_000;

export interface TokenClaims {
  readonly tenantId?: string | undefined;
  readonly subject?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
  /** The id of the API key, if one authenticates the subject. */
  readonly apiKeyId?: string | undefined;
  /** Version of the user's permissions, if known. Tokens do not contain it, but are reused only for this version. */
  readonly version?: string | undefined;
}

/** Mints tokens for an audience: the name of a service. */
export interface TokenMinter {
  mint(audience: string, claims: TokenClaims): Promise<string>;
}

interface MinterOptions {
  readonly service: string;
  /** Ed25519 private key with a `kid`. */
  readonly privateKey: JWK;
  readonly clock?: () => Date;
}

interface MintedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** Mints EdDSA JWTs. Calls with the same audience and claims share a token while it has enough time left. */
export async function createTokenMinter(options: MinterOptions): Promise<TokenMinter> {
  const { service, privateKey, clock = () => new Date() } = options;
  const { kid = '' } = privateKey;
  if (kid === '') throw new Error('the internal key has no kid');
  if (privateKey.d === undefined) throw new Error('the internal key is not a private key');
  const key = await importJWK(privateKey, 'EdDSA');
  const minted = new LRUCache<string, Promise<MintedToken>>(maxEntries(10_000));

  async function sign(audience: string, claims: TokenClaims): Promise<MintedToken> {
    const { tenantId, subject, permissions, apiKeyId } = claims;
    const issuedAt = Math.floor(clock().getTime() / 1000);
    const jwt = new SignJWT({ tenant_id: tenantId, permissions: permissions ?? [], api_key_id: apiKeyId })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .setIssuer(service)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S);
    if (subject !== undefined) jwt.setSubject(subject);
    return { token: await jwt.sign(key), issuedAt: issuedAt * 1000 };
  }

  return {
    async mint(audience, claims) {
      const { tenantId, subject, version, permissions, apiKeyId } = claims;
      const id = JSON.stringify([audience, tenantId, subject, version, permissions, apiKeyId]);
      const known = await minted.get(id);
      if (known !== undefined && isReusable(known, clock().getTime())) return known.token;
      const fresh = sign(audience, claims);
      minted.set(id, fresh);
      fresh.catch(() => minted.delete(id));
      return (await fresh).token;
    },
  };
}

/** Whether to reuse a token. Services reject tokens from the future, which exist after the clock was set back. */
function isReusable({ issuedAt }: MintedToken, time: number): boolean {
  return issuedAt <= time && time < issuedAt + (LIFETIME_S - MIN_REMAINING_S) * 1000;
}

/** Verifies a token and returns its caller. Throws `INVALID_TOKEN` if the token is invalid. */
export interface TokenVerifier {
  verify(token: string): Promise<Caller>;
}

interface VerifierOptions {
  /** Name of this service: the only audience that is accepted. */
  readonly service: string;
  readonly keySet: KeySet;
  readonly clock?: () => Date;
}

/**
 * Checks the signature, issuer, audience and lifetime of internal tokens, and whether the caller may call this service.
 * Verified tokens are cached only for seconds, so a retired key soon stops working.
 */
export function createTokenVerifier({ service, keySet, clock = () => new Date() }: VerifierOptions): TokenVerifier {
  /** Callers of valid tokens, by the hash of the token. */
  const verified = new LRUCache<string, Caller>({ ...maxEntries(10_000), ttl: VERIFIED_TTL_MS });

  async function check(token: string): Promise<{ caller: Caller; expiresAt: number }> {
    rejectDuplicateMembers(token);
    let entry: Awaited<ReturnType<KeySet['find']>>;
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        entry = kid === undefined ? undefined : await keySet.find(kid);
        if (entry === undefined) throw new Error('the key is unknown');
        return entry.key;
      },
      {
        algorithms: ['EdDSA'],
        typ: 'JWT',
        requiredClaims: ['iss', 'aud', 'iat', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: clock(),
      },
    );
    if (entry === undefined || payload.iss !== entry.caller) throw new Error('the issuer is not the owner of the key');
    // Rejects lists too: with a token for several services, one of them could call another.
    if (payload.aud !== service) throw new Error('the audience is another service');
    if (!entry.mayCall.has(service)) throw new Error(`${entry.caller} may not call ${service}`);
    const expiresAt = expiryOf(payload, clock().getTime());
    return { caller: toCaller(entry.caller, payload), expiresAt };
  }

  return {
    async verify(token) {
      const id = hash('sha256', token, 'base64');
      const known = verified.get(id);
      if (known !== undefined) return known;
      try {
        const { caller, expiresAt } = await check(token);
        verified.set(id, caller, { ttl: Math.max(1, Math.min(VERIFIED_TTL_MS, expiresAt - clock().getTime())) });
        return caller;
      } catch (cause) {
        throw new AppError('INVALID_TOKEN', { cause });
      }
    },
  };
}

/** Rejects tokens with a repeated member, which parsers may read differently (RFC 8725, section 2.4). */
function rejectDuplicateMembers(token: string): void {
  for (const part of token.split('.', 2)) parseJson(Buffer.from(part, 'base64url').toString());
}

/** The expiry of the token, in milliseconds. Throws if the token lives too long or is issued in the future. */
function expiryOf({ iat = 0, exp = 0 }: JWTPayload, now: number): number {
  const isWhole = Number.isInteger(iat) && Number.isInteger(exp);
  if (!isWhole || exp <= iat || exp - iat > LIFETIME_S)
    throw new Error('the lifetime is invalid for an internal token');
  if (iat * 1000 > now + CLOCK_TOLERANCE_S * 1000) throw new Error('the token was issued in the future');
  return exp * 1000;
}

function toCaller(service: string, payload: JWTPayload): Caller {
  const { tenant_id: tenantId, sub, permissions, api_key_id: apiKeyId } = payload;
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const isOptional = (value: unknown): value is string | undefined => value === undefined || isText(value);
  const areOptional = isOptional(tenantId) && isOptional(sub) && isOptional(apiKeyId);
  if (!areOptional || !Array.isArray(permissions) || !permissions.every(isText)) {
    throw new Error('the claims are invalid for an internal token');
  }
  return {
    service,
    tenantId: tenantId === undefined ? undefined : toTenantId(tenantId),
    subject: sub,
    permissions: new Set(permissions),
    apiKeyId,
  };
}

interface Options {
  readonly service: string;
  readonly secret: FollowedSecret<JWK>;
  readonly log: Logger;
  readonly observer?: FileObserver | undefined;
  readonly recheckMs?: number;
}

/**
 * Mints with the current private key of the file. Rejects if the first key cannot sign. The key's member `exp` (Unix
 * seconds) only feeds a metric: an expired key still works.
 */
export async function createRotatingMinter({ service, ...options }: Options): Promise<TokenMinter> {
  const latest = await followSecret({
    ...options,
    // RFC 7517 defines no expiry of a key; `exp` is a common addition.
    async toResult(privateKey: JWK & { readonly exp?: unknown }) {
      const minter = await createTokenMinter({ service, privateKey });
      const { kid = '', exp } = privateKey;
      options.observer?.setExpiries({ [kid]: typeof exp === 'number' ? new Date(exp * 1_000) : undefined });
      return minter;
    },
  });
  return { mint: async (audience, claims) => (await latest()).mint(audience, claims) };
}
