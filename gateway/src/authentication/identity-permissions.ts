import { timestampMs } from '@bufbuild/protobuf/wkt';
import { ApiKeyCheckService } from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { Principal } from '../tokens/token-claims.ts';
import type { Grant } from './permission-cache.ts';

/** The permissions of a user, and the user's revoked tokens. */
export interface UserGrant extends Grant {
  /** Ids (`jti`) of the user's tokens that were revoked. */
  readonly revokedTokens: ReadonlySet<string>;
}

/** Returns a function that reads the permissions of a user; undefined for an unknown user. */
export function createPermissionLoader(identity: ServiceConnection, log: Logger) {
  const client = identity.client(PermissionService);
  return async ({ tenantId, subject }: Principal): Promise<UserGrant | undefined> => {
    // Identity returns the permissions of the user that the call names.
    const options = { ...callOptionsFor({ claims: { tenantId, subject } }), timeoutMs: IDENTITY_TIMEOUT_MS };
    const reply = await askIdentity(() => client.getPermissions({}, options), log);
    return (
      reply && {
        permissions: new Set(reply.permissions),
        version: reply.version,
        revokedTokens: new Set(reply.revokedTokenIds),
      }
    );
  };
}

export const IDENTITY_TIMEOUT_MS = 1_500;

/** Calls identity. Returns undefined for 404, and throws `UNAVAILABLE` for any other error. */
async function askIdentity<T>(call: () => Promise<T>, log: Logger): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    log.warn({ err: error }, 'cannot read permissions from identity');
    throw new AppError('UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
  }
}

export interface ApiKeyGrant extends Grant {
  readonly principal: Principal;
  /** Milliseconds since the epoch; infinite for a key that never expires. */
  readonly expiresAt: number;
}

/** Returns a function that reads the grant of a key by the hash of its secret; undefined for an unknown key. */
export function createApiKeyLoader(identity: ServiceConnection, log: Logger) {
  const client = identity.client(ApiKeyCheckService);
  return async (secretHash: Uint8Array<ArrayBuffer>): Promise<ApiKeyGrant | undefined> => {
    const reply = await askIdentity(() => client.checkApiKey({ secretHash }, { timeoutMs: IDENTITY_TIMEOUT_MS }), log);
    return (
      reply && {
        // The previous release does not send the id.
        principal: { tenantId: reply.tenantId, subject: reply.userId, ...(reply.keyId && { apiKeyId: reply.keyId }) },
        permissions: new Set(reply.permissions),
        version: reply.version,
        expiresAt: reply.expiresAt === undefined ? Number.POSITIVE_INFINITY : timestampMs(reply.expiresAt),
      }
    );
  };
}
