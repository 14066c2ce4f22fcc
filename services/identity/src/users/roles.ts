/** All permissions. */
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

/** In ascending order; each role includes the permissions of the previous one. */
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

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}

function resourceOf(permission: Permission): string {
  return permission.slice(0, permission.indexOf(':'));
}
