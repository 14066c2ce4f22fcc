import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type Permission, permissionsOf, type Role } from './roles.ts';

/** A user of a tenant: the membership of a `sub` in it. */
export interface User {
  /** The `sub` of the user's tokens. */
  readonly id: string;
  /** Who is removed and added again has another one. */
  readonly membershipId: string;
  readonly tenantId: TenantId;
  readonly email: string;
  readonly role: Role;
  /** Permissions beyond those of the role. */
  readonly permissions: readonly Permission[];
  /** Counts the changes of the record. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The user as changed by somebody. */
export function changed(user: User, change: Partial<User>, time: Date): User {
  return { ...user, ...change, revision: user.revision + 1, updatedAt: time };
}

/** What a user may do, sorted, and a word that changes whenever it does. */
export function grantsOf({ role, permissions }: Pick<User, 'role' | 'permissions'>) {
  const all = [...new Set([...permissionsOf(role), ...permissions])].sort();
  return { role, permissions: all, version: versionOf([role, ...all]) };
}

/** A word that is the same for the same parts alone. */
export function versionOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** The form in which two spellings of one address are the same. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
