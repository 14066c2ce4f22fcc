import { hashApiKeySecret, isApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { type Call, callOf } from '../http/call.ts';
import type { Principal } from '../tokens/token-claims.ts';
import { rejections, TokenError } from '../tokens/token-error.ts';
import type { TokenVerifier } from '../tokens/token-verifier.ts';
import type { ApiKeyGrant } from './identity-api-keys.ts';
import type { UserGrant } from './identity-permissions.ts';
import type { Grant, PermissionCache } from './permission-cache.ts';

interface Authenticated {
  readonly principal: Principal;
  readonly grant: Grant;
}

export interface Authenticator {
  /** Throws `INVALID_TOKEN` without saying why, `UNAVAILABLE` when it cannot be told who calls. */
  authenticate(authorization: readonly string[] | undefined, response: Response): Promise<Authenticated>;
  /** Whether this very token or API key was good when it came last: no guess is. Asks nobody. */
  isKnown(authorization: readonly string[] | undefined): boolean;
}

interface Options {
  readonly tokens: TokenVerifier;
  readonly permissions: PermissionCache<Principal, UserGrant>;
  /** By the hash of their secrets. */
  readonly apiKeys: PermissionCache<Uint8Array<ArrayBuffer>, ApiKeyGrant>;
  readonly now: () => number;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Turns a token or an API key into a user of a tenant, with what the caller may do. */
export function createAuthenticator({ tokens, permissions, apiKeys, now, registry, log }: Options): Authenticator {
  const refused = new Counter({
    name: 'gateway_rejected_tokens_total',
    help: 'Tokens and API keys that were refused, by what was wrong with them.',
    labelNames: ['reason'],
    aggregator: 'sum',
    registers: [registry],
  });
  for (const reason of rejections) refused.inc({ reason }, 0);

  async function byToken(authorization: readonly string[] | undefined, call: Call): Promise<Authenticated> {
    const { principal, tokenId } = await tokens.verify(authorization);
    call.tenantId = principal.tenantId;
    const grant = await permissions.get(principal);
    if (grant === undefined) throw new TokenError('unknown_subject');
    if (isRevoked(tokenId, grant)) throw new TokenError('revoked');
    return { principal, grant };
  }

  async function byApiKey(secret: string, call: Call): Promise<Authenticated> {
    // By its hash alone: how long it takes to find nothing tells nothing about the secret of another key.
    const grant = await apiKeys.get(hashApiKeySecret(secret));
    if (grant === undefined) throw new TokenError('unknown_api_key');
    call.tenantId = grant.principal.tenantId;
    // Told here as well, for what is remembered while identity is away.
    if (grant.expiresAt <= now()) throw new TokenError('expired');
    return { principal: grant.principal, grant };
  }

  return {
    async authenticate(authorization, response) {
      const call = callOf(response);
      try {
        const secret = apiKeyOf(authorization);
        return await (secret === undefined ? byToken(authorization, call) : byApiKey(secret, call));
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        refused.inc({ reason: error.rejection });
        log.info({ request_id: call.requestId, reason: error.rejection, err: error.cause }, 'token refused');
        throw new AppError('INVALID_TOKEN');
      }
    },

    isKnown(authorization) {
      const secret = apiKeyOf(authorization);
      if (secret !== undefined) return (apiKeys.recall(hashApiKeySecret(secret))?.expiresAt ?? 0) > now();
      const token = tokens.recall(authorization);
      const grant = token && permissions.recall(token.principal);
      return grant !== undefined && !isRevoked(token?.tokenId, grant);
    },
  };
}

function isRevoked(tokenId: string | undefined, { revokedTokens }: UserGrant): boolean {
  return tokenId !== undefined && revokedTokens.has(tokenId);
}

/** The API key in an `Authorization` header; undefined for everything else, which is a token or nothing. */
function apiKeyOf([line = '', ...more]: readonly string[] = []): string | undefined {
  const text = more.length === 0 ? /^Bearer (.+)$/i.exec(line)?.[1] : undefined;
  return text !== undefined && isApiKeySecret(text) ? text : undefined;
}
