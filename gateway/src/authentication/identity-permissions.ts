import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { Principal } from '../tokens/token-claims.ts';
import { askIdentity, IDENTITY_TIMEOUT_MS } from './ask-identity.ts';
import type { Grant } from './permission-cache.ts';

/** The permissions of a user, and the user's revoked tokens. */
export interface UserGrant extends Grant {
  /** Ids (`jti`) of the user's tokens that were revoked. */
  readonly revokedTokens: ReadonlySet<string>;
}

/** Reads the permissions of a user from identity; undefined for an unknown user. */
export function createPermissionLoader(identity: ServiceConnection, log: Logger) {
  const client = identity.client(PermissionService);
  return async ({ tenantId, subject }: Principal): Promise<UserGrant | undefined> => {
    const options = { ...withOnBehalf({ claims: { tenantId, subject } }), timeoutMs: IDENTITY_TIMEOUT_MS };
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
