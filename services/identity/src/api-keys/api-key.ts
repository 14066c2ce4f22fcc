import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import type { Permission } from '../users/roles.ts';
import { grantsOf, type User, versionOf } from '../users/user.ts';

/** Nothing of a key that callers see changes, but when it was used last. */
export const API_KEY_REVISION = FIRST_REVISION;

/** A key that acts for the user who made it. */
export interface ApiKey {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  /** What its secret begins with. */
  readonly prefix: string;
  /** Of the whole secret, in base64. */
  readonly secretHash: string;
  readonly permissions: readonly Permission[];
  readonly createdBy: string;
  /** Of that user: who is removed and added again does not get the old keys back. */
  readonly membershipId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

/** What a key may do now: what both it and its user may, sorted, and a word that changes whenever that does. */
export function grantsOfKey(key: ApiKey, user: User) {
  const own = new Set(grantsOf(user).permissions);
  const permissions = key.permissions.filter((permission) => own.has(permission)).sort();
  return { permissions, version: versionOf(permissions) };
}

/** Whether a key works at a time, for the one who is its user then. */
export function isWorking({ expiresAt, membershipId }: ApiKey, user: User, time: Date): boolean {
  return (expiresAt === undefined || expiresAt > time) && membershipId === user.membershipId;
}
