import { AppError } from '@survey/runtime/errors/app-error';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { callOf } from '../http/call.ts';
import type { Grant, PermissionCache } from '../permissions/permission-cache.ts';
import type { Principal } from '../tokens/token-claims.ts';
import { TokenError } from '../tokens/token-error.ts';
import type { TokenVerifier } from '../tokens/token-verifier.ts';

interface Authenticated {
  readonly principal: Principal;
  readonly grant: Grant;
}

export interface Authenticator {
  /** Throws `INVALID_TOKEN` without saying why, `UNAVAILABLE` when it cannot be told who calls. */
  authenticate(authorization: readonly string[] | undefined, response: Response): Promise<Authenticated>;
}

interface Options {
  readonly tokens: TokenVerifier;
  readonly permissions: PermissionCache;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Turns a token into a user of a tenant, with what that user may do. */
export function createAuthenticator({ tokens, permissions, registry, log }: Options): Authenticator {
  const rejections = new Counter({
    name: 'gateway_rejected_tokens_total',
    help: 'Tokens that were refused, by what was wrong with them.',
    labelNames: ['reason'],
    aggregator: 'sum',
    registers: [registry],
  });

  return {
    async authenticate(authorization, response) {
      const call = callOf(response);
      try {
        const principal = await tokens.verify(authorization);
        call.tenantId = principal.tenantId;
        const grant = await permissions.get(principal);
        if (grant === undefined) throw new TokenError('unknown_subject');
        return { principal, grant };
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        rejections.inc({ reason: error.rejection });
        log.info({ request_id: call.requestId, reason: error.rejection, err: error.cause }, 'token refused');
        throw new AppError('INVALID_TOKEN');
      }
    },
  };
}
