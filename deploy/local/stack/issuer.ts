import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { loadIssuerKey } from './keys.ts';

/** A host name that never resolves (RFC 2606). The gateway does not need it, because it reads the keys from a file. */
export const ISSUER = 'https://issuer.local.invalid';
export const AUDIENCE = 'survey-platform';

/** The maximum lifetime of tokens that the gateway accepts. */
export const MAX_LIFETIME_SECONDS = 30 * 24 * 3600;

interface TokenClaims {
  readonly tenantId: string;
  readonly userId: string;
  readonly expiresInSeconds: number;
}

/** Signs a token like the identity provider of a tenant. */
export async function issueToken(
  keysFolder: string,
  { tenantId, userId, expiresInSeconds }: TokenClaims,
): Promise<string> {
  const key = await loadIssuerKey(keysFolder);
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ tenant_id: tenantId })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...(key.kid === undefined ? {} : { kid: key.kid }) })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresInSeconds)
    .setJti(randomUUID())
    .sign(await importJWK(key, 'ES256'));
}
