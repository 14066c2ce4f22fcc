import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** A token that is rejected before its expiry. */
export interface RevokedToken {
  readonly tenantId: TenantId;
  /** The `sub` of the token. */
  readonly userId: string;
  /** The `jti` of the token, unique only for its issuer. */
  readonly tokenId: string;
  /** The expiry of the token, or a later time if the operator does not know it. */
  readonly expiresAt: Date;
}

/** The id of the record. It is a hash, because a `jti` alone is not unique on the platform. */
export function recordIdOf({ tenantId, userId, tokenId }: RevokedToken): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, userId, tokenId]))
    .digest('base64url');
}
