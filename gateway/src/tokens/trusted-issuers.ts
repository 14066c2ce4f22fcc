import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createFileKeys } from './file-keys.ts';
import type { IssuerConfig } from './issuer-config.ts';
import { createKeyLoadMetrics } from './key-loads.ts';
import type { KeySource } from './key-source.ts';
import { createRemoteKeys } from './remote-keys.ts';

/** A configured issuer with its keys. */
export interface TrustedIssuer extends Omit<IssuerConfig, 'jwksFile' | 'jwksUrl'> {
  readonly keys: KeySource;
}

interface Options {
  readonly configs: readonly IssuerConfig[];
  readonly registry: Registry;
  readonly log: Logger;
}

/** Creates the configured issuers. Rejects if a key file is unusable. */
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
 * Loads the keys of all issuers, and resolves with the first success: if one identity provider is down, users of the
 * others can still sign in.
 */
export async function warmKeys(issuers: readonly Pick<TrustedIssuer, 'keys'>[]): Promise<void> {
  await Promise.any(issuers.map(({ keys }) => keys.latest()));
}
