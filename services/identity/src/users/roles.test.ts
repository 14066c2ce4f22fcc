import { catalog } from '@survey/proto/catalog';
import { accessOf, extraPermissionsOf } from '@survey/runtime/rpc/access';
import { describe, expect, it } from 'vitest';
import { permissions, permissionsOf, roles } from './roles.ts';

describe('permissionsOf', () => {
  it('gives viewers all read permissions except for users, keys and audit', () => {
    expect(permissionsOf('viewer')).toEqual([
      'imports:read',
      'links:read',
      'projects:read',
      'responses:read',
      'surveys:read',
      'tenant:read',
      'webhooks:read',
    ]);
  });

  it('gives each role additional permissions', () => {
    const added = roles.map((role, index) => {
      const before = roles[index - 1];
      const known: readonly string[] = before === undefined ? [] : permissionsOf(before);
      return permissionsOf(role).filter((permission) => !known.includes(permission));
    });
    expect(added.slice(1)).toEqual([
      ['responses:export', 'surveys:export'],
      expect.arrayContaining([
        'surveys:write',
        'surveys:import',
        'responses:delete',
        'webhooks:write',
        'imports:write',
      ]),
      ['audit:read', 'keys:read', 'keys:write', 'users:read', 'users:write'],
      ['tenant:write'],
    ]);
    expect(permissionsOf('editor').some((permission) => /^(users|keys|audit):/.test(permission))).toBe(false);
  });

  it('gives owners all permissions', () => {
    expect(permissionsOf('owner')).toEqual(permissions);
  });

  it('includes all permissions in the contract', () => {
    const methods = Object.values(catalog).flatMap((services) => services.flatMap(({ methods }) => [...methods]));
    const named = methods.flatMap((method) => {
      const access = accessOf(method);
      return [...(access.kind === 'permission' ? [access.permission] : []), ...extraPermissionsOf(method)];
    });
    expect(named.filter((permission) => !(permissions as readonly string[]).includes(permission))).toEqual([]);
  });
});
