import { hash } from 'node:crypto';
import { importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors/app-error.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Caller } from './caller.ts';
import type { KeySet } from './key-set.ts';
import { toTenantId } from './tenant-id.ts';

/** Lifetime of an internal token, in seconds. */
const LIFETIME_S = 60;
/**
 * A token is reused until it has this long to live, in seconds: longer than anybody waits for an answer to begin (the
 * gateway does for 35 s), so that it does not expire on its way to a service that is slow to take it.
 */
const REUSE_UNTIL_S = 40;
const CLOCK_TOLERANCE_S = 5;
/** How long a verified token is known, in milliseconds. */
const REMEMBERED_MS = 5_000;

/** Whom a minted token stands for. */
export interface TokenSubject {
  readonly tenantId?: string | undefined;
  readonly subject?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
  /** Changes whenever the permissions do; part of the key under which a token is reused. */
  readonly version?: string | undefined;
}

/** Mints tokens for one audience: a service's name. */
export interface TokenMinter {
  mint(audience: string, subject: TokenSubject): Promise<string>;
}

interface MinterOptions {
  /** Name of this process: the issuer. */
  readonly service: string;
  /** Ed25519 private key with a `kid`. */
  readonly privateKey: JWK;
  readonly now?: () => number;
}

/**
 * Mints the short-lived EdDSA JWTs that services accept. A token is minted once for each principal, version of its
 * permissions and audience, and reused while it has enough time left.
 */
export async function createTokenMinter({ service, privateKey, now = Date.now }: MinterOptions): Promise<TokenMinter> {
  const { kid = '' } = privateKey;
  if (kid === '') throw new Error('the internal key has no kid');
  if (privateKey.d === undefined) throw new Error('the internal key is no private key');
  const key = await importJWK(privateKey, 'EdDSA');
  const minted = new LRUCache<string, Promise<{ token: string; reusableUntil: number }>>({ max: 10_000 });

  async function sign(audience: string, { tenantId, subject, permissions }: TokenSubject) {
    const issuedAt = Math.floor(now() / 1000);
    const claims = { tenant_id: tenantId, permissions: permissions ?? [] };
    const jwt = new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .setIssuer(service)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S);
    if (subject !== undefined) jwt.setSubject(subject);
    return { token: await jwt.sign(key), reusableUntil: (issuedAt + LIFETIME_S - REUSE_UNTIL_S) * 1000 };
  }

  return {
    async mint(audience, subject) {
      const id = JSON.stringify([audience, subject.tenantId, subject.subject, subject.version, subject.permissions]);
      const known = await minted.get(id);
      if (known !== undefined && known.reusableUntil > now()) return known.token;
      const fresh = sign(audience, subject);
      minted.set(id, fresh);
      return (await fresh).token;
    },
  };
}

/** Turns a token into its caller. Throws `INVALID_TOKEN` whatever is wrong with it. */
export interface TokenVerifier {
  verify(token: string): Promise<Caller>;
}

interface VerifierOptions {
  /** Name of this service: the audience a token must name. */
  readonly service: string;
  readonly keySet: KeySet;
  readonly now?: () => number;
}

/**
 * Verifies internal tokens: signature by a known key, issuer the caller that the key belongs to, this service as the
 * one audience, in force now and for a minute at most, and a caller that may call this service. Verified tokens are
 * remembered until they expire, or for a few seconds at most, so that a retired key is felt.
 */
export function createTokenVerifier({ service, keySet, now = Date.now }: VerifierOptions): TokenVerifier {
  const verified = new LRUCache<string, Caller>({ max: 10_000, ttl: REMEMBERED_MS });

  async function check(token: string): Promise<{ caller: Caller; expiresAt: number }> {
    refuseDuplicates(token);
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
        currentDate: new Date(now()),
      },
    );
    if (entry === undefined || payload.iss !== entry.caller) throw new Error('the issuer is not the owner of the key');
    // A list that names this service among others would be a token that others can use here.
    if (payload.aud !== service) throw new Error('the audience is another one');
    if (!entry.mayCall.has(service)) throw new Error(`${entry.caller} may not call ${service}`);
    const expiresAt = expiryOf(payload, now());
    return { caller: toCaller(entry.caller, payload), expiresAt };
  }

  return {
    async verify(token) {
      const id = hash('sha256', token, 'base64');
      const known = verified.get(id);
      if (known !== undefined) return known;
      try {
        const { caller, expiresAt } = await check(token);
        verified.set(id, caller, { ttl: Math.max(1, Math.min(REMEMBERED_MS, expiresAt - now())) });
        return caller;
      } catch (cause) {
        throw new AppError('INVALID_TOKEN', { cause });
      }
    },
  };
}

/** The library takes the last of two members of one name, another reader may take the first (RFC 8725, section 2.4). */
function refuseDuplicates(token: string): void {
  for (const part of token.split('.', 2)) parseJson(Buffer.from(part, 'base64url').toString());
}

/** When the token ends, in milliseconds. Throws unless it was made lately, and for no longer than our tokens live. */
function expiryOf({ iat = 0, exp = 0 }: JWTPayload, now: number): number {
  const isWhole = Number.isInteger(iat) && Number.isInteger(exp);
  if (!isWhole || exp <= iat || exp - iat > LIFETIME_S)
    throw new Error('the lifetime is not that of an internal token');
  if (iat * 1000 > now + CLOCK_TOLERANCE_S * 1000) throw new Error('the token comes from the future');
  return exp * 1000;
}

function toCaller(service: string, { tenant_id: tenantId, sub, permissions }: JWTPayload): Caller {
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const isOptional = (value: unknown): value is string | undefined => value === undefined || isText(value);
  if (!isOptional(tenantId) || !isOptional(sub) || !Array.isArray(permissions) || !permissions.every(isText)) {
    throw new Error('the claims are not those of an internal token');
  }
  return {
    service,
    tenantId: tenantId === undefined ? undefined : toTenantId(tenantId),
    subject: sub,
    permissions: new Set(permissions),
  };
}
