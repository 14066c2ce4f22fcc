import type { Config } from '@survey/runtime/config/settings';
import type { GatewayRuntime } from '../runtime.ts';
import { toIssuerConfigs, type tokenSettings, toTimeRules } from '../tokens/token-settings.ts';
import { createTokenVerifier } from '../tokens/token-verifier.ts';
import { createTrustedIssuers, warmKeys } from '../tokens/trusted-issuers.ts';
import { createAuthenticator } from './authenticator.ts';
import { createApiKeyLoader, createPermissionLoader } from './identity-permissions.ts';
import { createPermissionCache } from './permission-cache.ts';

/** Authenticates callers. Keys of issuers verify tokens, and identity has the permissions of users and API keys. */
export async function createAuthenticationModule(runtime: GatewayRuntime, config: Config<typeof tokenSettings>) {
  const { registry, log, identity } = runtime;
  const issuers = await createTrustedIssuers({ configs: toIssuerConfigs(config), registry, log });
  const now = () => performance.now();
  return {
    /** Rejects when no issuer has keys. */
    checkKeys: () => warmKeys(issuers),
    authenticator: createAuthenticator({
      tokens: createTokenVerifier({ issuers, times: toTimeRules(config) }),
      permissions: createPermissionCache({
        load: createPermissionLoader(identity, log),
        cacheKeyOf: ({ tenantId, subject }) => JSON.stringify([tenantId, subject]),
        now,
      }),
      apiKeys: createPermissionCache({
        load: createApiKeyLoader(identity, log),
        cacheKeyOf: (secretHash) => Buffer.from(secretHash).toString('base64'),
        now,
      }),
      clock: () => new Date(),
      registry,
      log,
    }),
  };
}
