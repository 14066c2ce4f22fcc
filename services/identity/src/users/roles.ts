import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError, permissionDenied } from '@survey/runtime/errors/app-error';
import type { TenantCall } from '@survey/runtime/rpc/call-context';

export const permissions = [
  'audit:read',
  'imports:read',
  'imports:write',
  'keys:read',
  'keys:write',
  'links:read',
  'links:write',
  'projects:read',
  'projects:write',
  'responses:delete',
  'responses:export',
  'responses:import',
  'responses:read',
  'responses:write',
  'surveys:delete',
  'surveys:export',
  'surveys:import',
  'surveys:read',
  'surveys:write',
  'tenant:read',
  'tenant:write',
  'users:read',
  'users:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type Permission = (typeof permissions)[number];

/** Roles in ascending order. Each role includes the permissions of the previous role. */
export const roles = ['viewer', 'analyst', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

const EDITOR_RESOURCES = ['surveys', 'responses', 'links', 'projects', 'imports', 'webhooks'];
const ADMIN_RESOURCES = ['users', 'keys', 'audit'];

/** Whether a role adds a permission to those of the previous role. */
const additions: Readonly<Record<Role, (permission: Permission) => boolean>> = {
  viewer: (permission) => permission.endsWith(':read') && !ADMIN_RESOURCES.includes(resourceOf(permission)),
  analyst: (permission) => permission === 'surveys:export' || permission === 'responses:export',
  editor: (permission) => EDITOR_RESOURCES.includes(resourceOf(permission)),
  admin: (permission) => ADMIN_RESOURCES.includes(resourceOf(permission)),
  owner: (permission) => resourceOf(permission) === 'tenant',
};

/** The permissions of a role, sorted. */
export function permissionsOf(role: Role): readonly Permission[] {
  const included = roles.slice(0, roles.indexOf(role) + 1);
  return permissions.filter((permission) => included.some((lower) => additions[lower](permission)));
}

/** Converts a name that validation has accepted. */
export function toRole(name: string): Role {
  const role = roles.find((known) => known === name);
  if (role === undefined) throw new Error(`unknown role ${name}`);
  return role;
}

function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}

function resourceOf(permission: Permission): string {
  return permission.slice(0, permission.indexOf(':'));
}

/** The context of a change, with the permissions that its author can grant. */
export interface Granter extends ChangeContext {
  readonly permissions: ReadonlySet<string>;
  /** The API key with which the author is authenticated; undefined for a signed-in user. */
  readonly apiKeyId: string | undefined;
}

export function toGranter({ tenantId, actor, requestId, traceparent, caller }: TenantCall): Granter {
  const { permissions, apiKeyId } = caller;
  return { tenantId, actor, requestId, traceparent, permissions, apiKeyId };
}

/** Removes duplicates. Throws `VALIDATION_FAILED` for unknown permissions. */
export function toPermissions(names: readonly string[]): readonly Permission[] {
  const errors = names.flatMap((permission, index) =>
    isPermission(permission)
      ? []
      : [{ path: `/permissions/${index}`, code: 'UNKNOWN_PERMISSION', detail: 'The permission does not exist' }],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return [...new Set(names.filter(isPermission))];
}

/** Throws `PERMISSION_DENIED` with the first permission that the granter lacks. */
export function requireGrantable(grantable: ReadonlySet<string>, permissions: readonly Permission[]): void {
  const lacking = permissions.find((permission) => !grantable.has(permission));
  if (lacking !== undefined) throw permissionDenied(lacking);
}
