import { readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';

/** A token by what names it; its user is one of the tenant that it is for. */
export interface TokenToRevoke {
  readonly userId: string;
  readonly tokenId: string;
  /** When it ends at the latest. */
  readonly expiresAt: Date;
}

/**
 * Reads the token of a file, whoever has signed it: what is refused by mistake harms nobody. Throws when it cannot be
 * revoked by its id, or is none of this tenant.
 */
export async function loadTokenToRevoke(file: string, tenantId: string, latestEnd: Date): Promise<TokenToRevoke> {
  const claims = decode(await readFile(file, 'utf8'), file);
  const { sub, jti, exp, tenant_id: ownTenant } = claims;
  if (ownTenant !== tenantId) throw new Error(`the token in ${file} is none of this tenant`);
  if (sub === undefined || jti === undefined)
    throw new Error(`the token in ${file} has no sub or jti, and cannot be revoked alone: remove its user instead`);
  return { userId: sub, tokenId: jti, expiresAt: exp === undefined ? latestEnd : new Date(exp * 1000) };
}

function decode(text: string, file: string) {
  try {
    return decodeJwt(text.trim());
  } catch (cause) {
    throw new Error(`${file} holds no token`, { cause });
  }
}
