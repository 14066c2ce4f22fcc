import { readFile, stat } from 'node:fs/promises';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import type { KeySource } from './key-source.ts';

/** How long the file is trusted without looking whether it changed. */
const RECHECK_MS = 2_000;

interface Options {
  readonly file: string;
  readonly log: Logger;
  readonly now?: () => number;
}

/**
 * Keys from a mounted JWKS file, read again when it changes; the last good ones stay in force when it cannot be read
 * any more. Rejects when it cannot be read at first.
 */
export async function createFileKeys({ file, log, now = Date.now }: Options): Promise<KeySource> {
  let { find, version } = await loadKeys(file);
  let checkedAt = now();
  let checking: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      if ((await fileVersion(file)) !== version) ({ find, version } = await loadKeys(file));
    } catch (error) {
      log.error({ err: error, file }, 'the key set cannot be read, the keys read before stay in force');
    } finally {
      checkedAt = now();
      checking = undefined;
    }
  }

  return {
    async find(header, token) {
      if (now() - checkedAt >= RECHECK_MS) {
        checking ??= refresh();
        await checking;
      }
      return find(header, token);
    },
    ready: () => Promise.resolve(),
  };
}

async function fileVersion(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs}:${size}:${ino}`;
}

async function loadKeys(file: string): Promise<{ find: JWTVerifyGetKey; version: string }> {
  const version = await fileVersion(file);
  // Its form is checked by jose in the next step.
  const jwks = JSON.parse(await readFile(file, 'utf8')) as JSONWebKeySet;
  const find = createLocalJWKSet(jwks);
  const secret = jwks.keys.find(({ d, k }) => d !== undefined || k !== undefined);
  if (secret !== undefined) throw new Error(`${file} holds the secret key ${secret.kid}; it may hold public keys only`);
  return { find, version };
}
