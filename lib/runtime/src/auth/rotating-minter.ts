import type { JWK } from 'jose';
import type { Logger } from 'pino';
import { type FollowedSecret, followSecret } from '../config/followed-secret.ts';
import { createTokenMinter, type TokenMinter } from './internal-token.ts';

interface Options {
  readonly service: string;
  readonly secret: FollowedSecret<JWK>;
  readonly log: Logger;
  readonly recheckMs?: number;
}

/**
 * Mints with the private key that is in the file now. Tokens of an earlier key stay valid while its public key is in
 * the key set. Rejects if the first key cannot sign.
 */
export async function createRotatingMinter({ service, ...options }: Options): Promise<TokenMinter> {
  const latest = await followSecret({
    ...options,
    toResult: (privateKey) => createTokenMinter({ service, privateKey }),
  });
  return { mint: async (audience, subject) => (await latest()).mint(audience, subject) };
}
