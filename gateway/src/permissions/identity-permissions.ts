import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { LoadGrant } from './permission-cache.ts';

const TIMEOUT_MS = 1_500;

/** Asks identity. Whatever goes wrong there is `UNAVAILABLE` to the caller, who can do nothing about it. */
export function createIdentityPermissions(identity: ServiceConnection, log: Logger): LoadGrant {
  const client = identity.client(PermissionService);
  return async ({ tenantId, subject }) => {
    const options = { ...withOnBehalf({ subject: { tenantId, subject } }), timeoutMs: TIMEOUT_MS };
    try {
      const { permissions, version } = await client.getPermissions({}, options);
      return { permissions: new Set(permissions), version };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return undefined;
      log.warn({ err: error }, 'identity cannot tell permissions');
      throw new AppError('UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
    }
  };
}
