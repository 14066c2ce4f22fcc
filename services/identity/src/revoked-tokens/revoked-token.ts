import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';

/** A token that is rejected before its expiry. */
export interface RevokedToken {
  readonly tenantId: TenantId;
  /** The `sub` of the token. */
  readonly userId: string;
  /** The `jti` of the token, unique only for its issuer. */
  readonly tokenId: string;
  /** The expiry of the token, or a later time. */
  readonly expiresAt: Date;
}

/** The id of the record, which is always the same for a token and unique on the platform. */
export function recordIdOf({ tenantId, userId, tokenId }: RevokedToken): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, userId, tokenId]))
    .digest('base64url');
}
