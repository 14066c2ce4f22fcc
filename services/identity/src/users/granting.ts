import type { Actor } from '@survey/runtime/auth/actor';
import { AppError } from '@survey/runtime/errors/app-error';
import { permissionDenied, type TenantCall } from '@survey/runtime/rpc/call-context';
import { isPermission, type Permission } from './roles.ts';

/** Who changes users and keys, and what they may give away. */
export interface Granter extends Actor {
  readonly permissions: ReadonlySet<string>;
}

export function toGranter({ tenantId, actor, requestId, traceparent, caller }: TenantCall): Granter {
  return { tenantId, actor, requestId, traceparent, permissions: caller.permissions };
}

/** Each of the permissions once. Throws `VALIDATION_FAILED` for those that there are not. */
export function toPermissions(given: readonly string[]): readonly Permission[] {
  const errors = given.flatMap((permission, index) =>
    isPermission(permission)
      ? []
      : [{ path: `/permissions/${index}`, code: 'UNKNOWN_PERMISSION', detail: 'There is no such permission' }],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return [...new Set(given.filter(isPermission))];
}

/** Nobody gives or takes away what they lack: throws `PERMISSION_DENIED` naming the first such permission. */
export function checkWithin(own: ReadonlySet<string>, permissions: readonly Permission[]): void {
  const lacking = permissions.find((permission) => !own.has(permission));
  if (lacking !== undefined) throw permissionDenied(lacking);
}
