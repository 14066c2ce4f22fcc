import { timestampMs } from '@bufbuild/protobuf/wkt';
import { ApiKeyCheckService } from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { Principal } from '../tokens/token-claims.ts';
import { askIdentity, TIMEOUT_MS } from './ask-identity.ts';
import type { Grant } from './permission-cache.ts';

/** What an API key stands for. */
export interface ApiKeyGrant extends Grant {
  /** The user for whom it acts. */
  readonly principal: Principal;
  /** Milliseconds since the epoch; infinite for a key without end. */
  readonly expiresAt: number;
}

/** Asks identity for a key by the hash of its secret; undefined when it is worth nothing. */
export function createIdentityApiKeys(identity: ServiceConnection, log: Logger) {
  const client = identity.client(ApiKeyCheckService);
  return async (secretHash: Uint8Array<ArrayBuffer>): Promise<ApiKeyGrant | undefined> => {
    const answer = await askIdentity(() => client.checkApiKey({ secretHash }, { timeoutMs: TIMEOUT_MS }), log);
    return (
      answer && {
        principal: { tenantId: answer.tenantId, subject: answer.userId },
        permissions: new Set(answer.permissions),
        version: answer.version,
        expiresAt: answer.expiresAt === undefined ? Number.POSITIVE_INFINITY : timestampMs(answer.expiresAt),
      }
    );
  };
}
