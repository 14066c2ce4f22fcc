import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type Permission, permissionsOf, type Role } from './roles.ts';

/** A user of a tenant: the membership of one person (the `sub` of tokens) in one tenant. */
export interface User {
  /** The `sub` of the user's tokens. */
  readonly id: string;
  /** Identifies one stay of the user in the tenant. A user who is removed and added again gets a new id. */
  readonly membershipId: string;
  readonly tenantId: TenantId;
  readonly email: string;
  readonly role: Role;
  /** Permissions beyond those of the role. */
  readonly permissions: readonly Permission[];
  /** Incremented by each change. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The user after a change, with the next revision. */
export function withChange(user: User, change: Partial<User>, time: Date): User {
  return { ...user, ...change, revision: user.revision + 1, updatedAt: time };
}

/** The permissions of a user, sorted, and a version that changes with them. */
export function grantsOf({ role, permissions }: Pick<User, 'role' | 'permissions'>) {
  const all = [...new Set([...permissionsOf(role), ...permissions])].sort();
  return { role, permissions: all, version: versionOf([role, ...all]) };
}

export function versionOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
