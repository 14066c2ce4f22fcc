import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** A token of a user that is refused though it has not ended. */
export interface RevokedToken {
  readonly tenantId: TenantId;
  /** The `sub` of the token. */
  readonly userId: string;
  /** Its `jti`, which is the issuer's own and unique to nobody else. */
  readonly tokenId: string;
  /** When it ends at the latest. */
  readonly expiresAt: Date;
}

/** One id on the whole platform, the same whenever the token is revoked. */
export function recordIdOf({ tenantId, userId, tokenId }: RevokedToken): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, userId, tokenId]))
    .digest('base64url');
}
