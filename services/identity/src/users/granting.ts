import type { Actor } from '@survey/runtime/auth/actor';
import { AppError } from '@survey/runtime/errors/app-error';
import { permissionDenied, type TenantCall } from '@survey/runtime/rpc/call-context';
import { isPermission, type Permission } from './roles.ts';

/** The actor of a change, with the permissions that the actor can grant. */
export interface Granter extends Actor {
  readonly permissions: ReadonlySet<string>;
  /** The API key with which the actor is authenticated; undefined for a signed-in user. */
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
