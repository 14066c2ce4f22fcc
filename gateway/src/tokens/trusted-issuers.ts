import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createFileKeys } from './file-keys.ts';
import type { IssuerConfig } from './issuer-config.ts';
import { createKeyLoadMetrics } from './key-loads.ts';
import type { KeySource } from './key-source.ts';
import { createRemoteKeys } from './remote-keys.ts';

/** One whose tokens are believed, as far as they are signed by its own keys. */
export interface TrustedIssuer extends Omit<IssuerConfig, 'jwksFile' | 'jwksUrl'> {
  readonly keys: KeySource;
}

interface Options {
  readonly configs: readonly IssuerConfig[];
  readonly registry: Registry;
  readonly log: Logger;
}

/** The issuers of the configuration. Rejects when a file of keys cannot be used. */
export async function createTrustedIssuers({ configs, registry, log }: Options): Promise<readonly TrustedIssuer[]> {
  const loadsOf = createKeyLoadMetrics(registry);
  return Promise.all(
    configs.map(async ({ jwksFile, jwksUrl, ...issuer }) => {
      const options = { algorithms: issuer.algorithms, loads: loadsOf(issuer.name ?? 'default'), log };
      const file = jwksFile === undefined ? undefined : await createFileKeys({ file: jwksFile, ...options });
      return { ...issuer, keys: file ?? createRemoteKeys({ url: jwksUrl ?? '', ...options }) };
    }),
  );
}

/**
 * Asks all issuers for their keys, and resolves when those of one are there: an identity provider that is away keeps
 * nobody out but its own users.
 */
export async function warmKeys(issuers: readonly Pick<TrustedIssuer, 'keys'>[]): Promise<void> {
  await Promise.any(issuers.map(({ keys }) => keys.latest()));
}
