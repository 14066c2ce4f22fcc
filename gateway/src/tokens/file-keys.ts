import { followFiles } from '@survey/runtime/config/follow-files';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import type { KeySource } from './key-source.ts';

interface Options {
  readonly file: string;
  readonly log: Logger;
  readonly now?: () => number;
}

/**
 * Keys from a mounted JWKS file, read again when it changes; the last good ones stay in force when it cannot be read
 * any more. Rejects when it cannot be read at first.
 */
export async function createFileKeys({ file, ...options }: Options): Promise<KeySource> {
  const latest = await followFiles({
    ...options,
    files: [file],
    load: (contents) => toFinder(file, contents.join('')),
  });
  return {
    find: async (header, token) => (await latest())(header, token),
    ready: () => Promise.resolve(),
  };
}

function toFinder(file: string, text: string): JWTVerifyGetKey {
  // Its form is checked by jose in the next step.
  const jwks = JSON.parse(text) as JSONWebKeySet;
  const find = createLocalJWKSet(jwks);
  const secret = jwks.keys.find(({ d, k }) => d !== undefined || k !== undefined);
  if (secret !== undefined) throw new Error(`${file} holds the secret key ${secret.kid}; it may hold public keys only`);
  return find;
}
