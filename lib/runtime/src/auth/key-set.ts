import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Logger } from 'pino';
import { type FileObserver, followFiles } from '../config/follow-files.ts';
import { isObject } from '../json/is-object.ts';
import { parseObject } from '../json/parse-json.ts';

/** A public key of a caller: a process of the platform. */
export interface CallerKey {
  readonly caller: string;
  /** Names of the services that the caller may call. */
  readonly mayCall: ReadonlySet<string>;
  readonly key: CryptoKey | Uint8Array;
}

export interface KeySet {
  find(keyId: string): Promise<CallerKey | undefined>;
}

interface Options {
  /** Path of a JWKS (RFC 7517). Each key has two additional members, `caller` and `may_call`. */
  readonly file: string;
  readonly log: Logger;
  readonly observer?: FileObserver | undefined;
  /** Minimum time between two checks whether the file changed, in milliseconds. */
  readonly recheckMs?: number;
  readonly now?: () => number;
}

/**
 * The public keys of all callers, reloaded when the file changes, so that adding and retiring keys needs no restart. If
 * the file becomes unreadable, the last good keys stay in force.
 */
export async function createKeySet({ file, ...options }: Options): Promise<KeySet> {
  const keys = await followFiles({
    ...options,
    files: [file],
    load: (contents) => parseCallerKeys(file, contents.join('')),
  });
  return { find: async (keyId) => (await keys()).get(keyId) };
}

/**
 * The public keys in the text of a JWKS, by their ids. Throws if the text or a key is unusable.
 *
 * @param file path of the JWKS, for error messages
 */
export async function parseCallerKeys(file: string, text: string): Promise<ReadonlyMap<string, CallerKey>> {
  const entries = parseObject(text)?.['keys'];
  if (!Array.isArray(entries)) throw new Error(`${file} is not a JWKS`);
  const keys = new Map<string, CallerKey>();
  for (const entry of entries) {
    if (!isObject(entry)) throw new Error(`${file} contains a key that is not an object`);
    const { kid, caller, may_call: mayCall } = entry;
    if (typeof kid !== 'string' || typeof caller !== 'string' || !isStrings(mayCall)) {
      throw new Error(`${file} contains a key without kid, caller or may_call`);
    }
    if (keys.has(kid)) throw new Error(`${file} contains two keys with the id ${kid}`);
    if (entry['d'] !== undefined)
      throw new Error(`${file} contains the private key ${kid}; only public keys are allowed`);
    if (entry['kty'] !== 'OKP' || entry['crv'] !== 'Ed25519')
      throw new Error(`${file} contains the key ${kid}, which is no Ed25519 key`);
    keys.set(kid, { caller, mayCall: new Set(mayCall), key: await importJWK(entry as JWK, 'EdDSA') });
  }
  return keys;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
