import type { JWK } from 'jose';
import type { Logger } from 'pino';
import type { FileWatch } from '../config/follow-files.ts';
import { type FollowedSecret, followSecret } from '../config/followed-secret.ts';
import { createTokenMinter, type TokenMinter } from './internal-token.ts';

interface Options {
  readonly service: string;
  readonly secret: FollowedSecret<JWK>;
  readonly log: Logger;
  readonly watch?: FileWatch | undefined;
  readonly recheckMs?: number;
}

/**
 * Mints with the private key that is in the file now. Tokens of an earlier key stay valid while its public key is in
 * the key set. Rejects if the first key cannot sign. The key's member `exp` (Unix seconds) only feeds a metric: the key
 * stays usable after that time.
 */
export async function createRotatingMinter({ service, ...options }: Options): Promise<TokenMinter> {
  const latest = await followSecret({
    ...options,
    // RFC 7517 defines no expiry of a key; `exp` is a common addition.
    async toResult(privateKey: JWK & { readonly exp?: unknown }) {
      const minter = await createTokenMinter({ service, privateKey });
      const { kid = '', exp } = privateKey;
      options.watch?.setExpiries({ [kid]: typeof exp === 'number' ? new Date(exp * 1_000) : undefined });
      return minter;
    },
  });
  return { mint: async (audience, claims) => (await latest()).mint(audience, claims) };
}
