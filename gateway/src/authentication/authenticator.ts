import { hashApiKeySecret, isApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { startAtZero } from '@survey/runtime/telemetry/metrics';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { type Call, callOf } from '../http/call.ts';
import type { Principal } from '../tokens/token-claims.ts';
import { rejectionReasons, TokenError, toAuthenticationError } from '../tokens/token-format.ts';
import type { TokenVerifier } from '../tokens/token-verifier.ts';
import type { ApiKeyGrant, UserGrant } from './identity-permissions.ts';
import type { Grant, PermissionCache } from './permission-cache.ts';

interface Authenticated {
  readonly principal: Principal;
  readonly grant: Grant;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** The lines of the header `Authorization`. */
type Authorization = readonly string[] | undefined;

interface Options {
  readonly tokens: TokenVerifier;
  readonly permissions: PermissionCache<Principal, UserGrant>;
  /** Grants of API keys, by the hash of the secret. */
  readonly apiKeys: PermissionCache<Uint8Array<ArrayBuffer>, ApiKeyGrant>;
  readonly clock: () => Date;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Authenticates callers by token or API key. A principal is a user. A grant has the user's permissions. */
export function createAuthenticator({ tokens, permissions, apiKeys, clock, registry, log }: Options) {
  const rejected = new Counter({
    name: 'gateway_rejected_tokens_total',
    help: 'Rejected tokens and API keys, by reason.',
    labelNames: ['reason'],
    aggregator: 'sum',
    registers: [registry],
  });
  startAtZero(rejected, { reason: rejectionReasons });

  async function authenticateToken(authorization: Authorization, call: Call): Promise<Authenticated> {
    const { principal, tokenId } = await tokens.verify(authorization);
    call.tenantId = principal.tenantId;
    const grant = await permissions.get(principal);
    if (grant === undefined) throw new TokenError('unknown_subject');
    if (isRevoked(tokenId, grant)) throw new TokenError('revoked');
    return { principal, grant };
  }

  async function authenticateApiKey(secret: string, call: Call): Promise<Authenticated> {
    // Look up by hash, so that the duration reveals nothing about other secrets.
    const grant = await apiKeys.get(hashApiKeySecret(secret));
    if (grant === undefined) throw new TokenError('unknown_api_key');
    call.tenantId = grant.principal.tenantId;
    // The key may have expired since its grant was cached.
    if (grant.expiresAt <= clock().getTime()) throw new TokenError('expired');
    return { principal: grant.principal, grant };
  }

  return {
    /** Throws `INVALID_TOKEN`, or `UNAVAILABLE` if identity or the signing keys are unavailable. */
    async authenticate(authorization: Authorization, response: Response): Promise<Authenticated> {
      const call = callOf(response);
      try {
        const secret = apiKeyOf(authorization);
        return await (secret === undefined ? authenticateToken(authorization, call) : authenticateApiKey(secret, call));
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        rejected.inc({ reason: error.rejection });
        log.info({ request_id: call.requestId, reason: error.rejection, err: error.cause }, 'token rejected');
        throw toAuthenticationError(error.rejection);
      }
    },

    /** Whether this token or API key was valid at its last check. Reads only caches. */
    wasValid(authorization: Authorization): boolean {
      const secret = apiKeyOf(authorization);
      if (secret !== undefined)
        return (apiKeys.findCached(hashApiKeySecret(secret))?.expiresAt ?? 0) > clock().getTime();
      const token = tokens.findCached(authorization);
      const grant = token && permissions.findCached(token.principal);
      return grant !== undefined && !isRevoked(token?.tokenId, grant);
    },
  };
}

function isRevoked(tokenId: string | undefined, { revokedTokens }: UserGrant): boolean {
  return tokenId !== undefined && revokedTokens.has(tokenId);
}

/** The API key in an `Authorization` header; undefined for a token or a malformed header. */
function apiKeyOf([line = '', ...more]: readonly string[] = []): string | undefined {
  const text = more.length === 0 ? /^Bearer (.+)$/i.exec(line)?.[1] : undefined;
  return text !== undefined && isApiKeySecret(text) ? text : undefined;
}
