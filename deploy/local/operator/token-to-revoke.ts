import { readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';

/** Identifies a token of one of the tenant's users. */
export interface TokenToRevoke {
  readonly userId: string;
  readonly tokenId: string;
  /** Time at which the token expires at the latest. */
  readonly expiresAt: Date;
}

/**
 * Reads a token from a file, without checking its signature: revoking an invalid token is harmless. Throws if it has
 * no id or user, or belongs to another tenant.
 */
export async function loadTokenToRevoke(file: string, tenantId: string, defaultExpiry: Date): Promise<TokenToRevoke> {
  const claims = decode(await readFile(file, 'utf8'), file);
  const { sub, jti, exp, tenant_id: tokenTenant } = claims;
  if (tokenTenant !== tenantId) throw new Error(`the token in ${file} belongs to another tenant`);
  if (sub === undefined || jti === undefined)
    throw new Error(`the token in ${file} has no sub or jti, so it cannot be revoked: remove its user instead`);
  return { userId: sub, tokenId: jti, expiresAt: exp === undefined ? defaultExpiry : new Date(exp * 1000) };
}

function decode(text: string, file: string) {
  try {
    return decodeJwt(text.trim());
  } catch (cause) {
    throw new Error(`${file} contains no token`, { cause });
  }
}
