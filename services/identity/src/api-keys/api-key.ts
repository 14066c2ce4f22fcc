import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Permission } from '../users/roles.ts';
import { grantsOf, type User, versionOf } from '../users/user.ts';

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
  /** When that user was added: who is removed and added again does not get the old keys back. */
  readonly creatorSince: Date;
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
export function isWorking({ expiresAt, creatorSince }: ApiKey, user: User, time: Date): boolean {
  return (expiresAt === undefined || expiresAt > time) && creatorSince.getTime() === user.createdAt.getTime();
}
