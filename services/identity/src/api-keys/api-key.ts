import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import type { Permission } from '../users/roles.ts';
import { grantsOf, type User, versionOf } from '../users/user.ts';

/** Constant, because a key never changes except for the time of its last use. */
export const API_KEY_REVISION = FIRST_REVISION;

/** An API key, which acts for its creator. */
export interface ApiKey {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  /** The beginning of the secret. */
  readonly prefix: string;
  /** Hash of the whole secret, in base64. */
  readonly secretHash: string;
  readonly permissions: readonly Permission[];
  readonly createdBy: string;
  /** The membership of the creator. Keys stay invalid if their creator is removed and added again. */
  readonly membershipId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

/** The permissions that both the key and its user have now, sorted, and a version that changes with them. */
export function grantsOfKey(key: ApiKey, user: User) {
  const userPermissions = new Set(grantsOf(user).permissions);
  const permissions = key.permissions.filter((permission) => userPermissions.has(permission)).sort();
  return { permissions, version: versionOf(permissions) };
}

export function isExpired({ expiresAt }: ApiKey, time: Date): boolean {
  return expiresAt !== undefined && expiresAt <= time;
}
