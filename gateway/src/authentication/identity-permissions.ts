import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { Principal } from '../tokens/token-claims.ts';
import { askIdentity, TIMEOUT_MS } from './ask-identity.ts';
import type { Grant } from './permission-cache.ts';

/** What a user may do, and by which tokens not. */
export interface UserGrant extends Grant {
  /** Ids (`jti`) of the user's tokens that were revoked. */
  readonly revokedTokens: ReadonlySet<string>;
}

/** Asks identity what a user may do; undefined when there is no such user. */
export function createIdentityPermissions(identity: ServiceConnection, log: Logger) {
  const client = identity.client(PermissionService);
  return async ({ tenantId, subject }: Principal): Promise<UserGrant | undefined> => {
    const options = { ...withOnBehalf({ subject: { tenantId, subject } }), timeoutMs: TIMEOUT_MS };
    const answer = await askIdentity(() => client.getPermissions({}, options), log);
    return (
      answer && {
        permissions: new Set(answer.permissions),
        version: answer.version,
        revokedTokens: new Set(answer.revokedTokenIds),
      }
    );
  };
}
