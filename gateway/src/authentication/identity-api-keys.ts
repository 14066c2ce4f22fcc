import { timestampMs } from '@bufbuild/protobuf/wkt';
import { ApiKeyCheckService } from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { Principal } from '../tokens/token-claims.ts';
import { askIdentity, IDENTITY_TIMEOUT_MS } from './ask-identity.ts';
import type { Grant } from './permission-cache.ts';

/** The permissions of an API key. */
export interface ApiKeyGrant extends Grant {
  /** The user of the key. */
  readonly principal: Principal;
  /** Milliseconds since the epoch; infinite for a key that never expires. */
  readonly expiresAt: number;
}

/** Reads the grant of a key from identity, by the hash of its secret; undefined for an unknown key. */
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
