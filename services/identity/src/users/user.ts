import { createHash } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type Permission, permissionsOf, type Role } from './roles.ts';

/** A user of a tenant: the membership of a `sub` in it. */
export interface User {
  /** The `sub` of the user's tokens. */
  readonly id: string;
  readonly tenantId: TenantId;
  readonly email: string;
  readonly role: Role;
  /** Permissions beyond those of the role. */
  readonly permissions: readonly Permission[];
  readonly createdAt: Date;
}

/** What a user may do, sorted, and a word that changes whenever it does. */
export function grantsOf({ role, permissions }: Pick<User, 'role' | 'permissions'>) {
  const all = [...new Set([...permissionsOf(role), ...permissions])].sort();
  const version = createHash('sha256')
    .update(JSON.stringify([role, all]))
    .digest('base64url')
    .slice(0, 16);
  return { role, permissions: all, version };
}

/** The form in which two spellings of one address are the same. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
