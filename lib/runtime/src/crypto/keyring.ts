import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Logger } from 'pino';
import {
  type FileObserver,
  type FollowedSecret,
  followSecret,
  type ReadLatest,
  reloadable,
} from '../config/follow-files.ts';
import { isObject } from '../json/is-object.ts';
import { parseObject } from '../json/parse-json.ts';
import { systemScope } from '../mongo/system-scope.ts';
import { DecryptionError, openBytes, type Sealed, sealBytes } from './aes-gcm.ts';
import { type DataKeyDocument, rewrapDataKeys, unwrapDataKey } from './data-key.ts';

/** A data key that is encrypted with a key of the keyring. */
interface Wrapped extends Sealed {
  /** Id of the key that wraps the data key. */
  readonly key_id: string;
}

/**
 * The operator's keys, which wrap (encrypt) the data keys of tenants. The active key wraps new data keys, the others
 * only unwrap older ones. Callers cannot read the bytes of the operator's keys.
 */
export interface Keyring {
  readonly active: string;
  /** Time by which another key should be active, for metrics; undefined if the file names none. */
  readonly rotateBy: Date | undefined;
  wrap(dataKey: Uint8Array, aad: Uint8Array): Wrapped;
  /** Throws `DecryptionError` if the keyring lacks the key, or if the data key or the AAD was altered. */
  unwrap(wrapped: Wrapped, aad: Uint8Array): Uint8Array;
}

const KEY_ID = /^[\w.-]{1,64}$/;
const KEY_BYTES = 32;

/**
 * Parses `{"active": "<id>", "keys": {"<id>": "<32 bytes in base64>", …}, "rotate_by": "<date>"}`. An id has 1 to 64
 * characters of `A-Z a-z 0-9 _ . -`; `rotate_by` is optional. Throws one error that names all problems. It does not
 * quote the text, which contains keys.
 */
export function parseKeyring(json: string): Keyring {
  const problems: string[] = [];
  const object = parseObject(json);
  if (object === undefined) throw new Error('Invalid keyring: it must be a JSON object');
  const { active, keys, rotateBy } = readMembers(object, problems);
  const keysById = new Map<string, KeyObject>();
  for (const [index, [id, value]] of Object.entries(keys).entries()) {
    if (!KEY_ID.test(id)) problems.push('the id of a key must be 1 to 64 characters of A-Z a-z 0-9 _ . -');
    else keysById.set(id, readKey(index + 1, value, problems));
  }
  if (active !== undefined && !Object.hasOwn(keys, active)) problems.push('`active` must name one of `keys`');
  if (active === undefined || problems.length > 0) throw new Error(`Invalid keyring: ${problems.join('; ')}`);
  return createKeyring(active, keysById, rotateBy);
}

function createKeyring(active: string, keysById: ReadonlyMap<string, KeyObject>, rotateBy: Date | undefined): Keyring {
  function keyOf(id: string): KeyObject {
    const key = keysById.get(id);
    if (key === undefined) throw new DecryptionError();
    return key;
  }
  return {
    active,
    rotateBy,
    wrap: (dataKey, aad) => ({ key_id: active, ...sealBytes(keyOf(active), aad, dataKey) }),
    unwrap: (wrapped, aad) => openBytes(keyOf(wrapped.key_id), aad, wrapped),
  };
}

function readMembers(object: Record<string, unknown>, problems: string[]) {
  const { active, keys, rotate_by: rotateByText, ...others } = object;
  if (Object.keys(others).length > 0) problems.push('the only members are `active`, `keys` and `rotate_by`');
  if (typeof active !== 'string') problems.push('`active` must be the id of a key');
  if (!isObject(keys) || Object.keys(keys).length === 0)
    problems.push('`keys` must be an object with at least one key');
  const rotateBy = typeof rotateByText === 'string' ? new Date(rotateByText) : undefined;
  if (rotateByText !== undefined && !Number.isFinite(rotateBy?.getTime()))
    problems.push('`rotate_by` must be a date, such as 2027-01-31');
  return { active: typeof active === 'string' ? active : undefined, keys: isObject(keys) ? keys : {}, rotateBy };
}

function readKey(position: number, value: unknown, problems: string[]): KeyObject {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  // Buffer skips invalid characters, so encode again to check.
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== value) {
    // Do not quote the id: an operator may have confused it with the key.
    problems.push(`key ${position} of \`keys\` must be ${KEY_BYTES} bytes in base64, with padding`);
  }
  return createSecretKey(bytes);
}

/**
 * Throws an error with the ids of keys that wrap stored data keys, but are missing in the keyring or have other bytes.
 * Checks one data key of each id.
 */
export async function checkKeyring(keyring: Keyring, collection: Collection<DataKeyDocument>): Promise<void> {
  const dataKeys = systemScope(collection);
  const unusable: string[] = [];
  for (const keyId of await dataKeys.distinct('wrapped.key_id')) {
    const sample = await dataKeys.findOne({ 'wrapped.key_id': keyId });
    if (sample !== null && !canUnwrap(keyring, sample)) unusable.push(keyId);
  }
  if (unusable.length > 0) {
    throw new Error(`The keyring lacks keys that wrap data keys in the database: ${unusable.sort().join(', ')}`);
  }
}

function canUnwrap(keyring: Keyring, dataKey: DataKeyDocument): boolean {
  try {
    unwrapDataKey(keyring, dataKey);
    return true;
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}

export const encryptionKeyring = reloadable<Keyring>({
  env: 'ENCRYPTION_KEYRING',
  secret: true,
  help: 'Keys that wrap the data keys of tenants: {"active":"<id>","keys":{"<id>":"<32 bytes in base64>"}}, and optionally "rotate_by":"<date>" for an alert. The file is reloaded when it changes. To rotate, first add the new key everywhere, then make it active.',
  parse: parseKeyring,
});

interface FollowOptions {
  readonly secret: FollowedSecret<Keyring>;
  readonly collection: Collection<DataKeyDocument>;
  readonly log: Logger;
  readonly observer?: FileObserver | undefined;
  readonly recheckMs?: number;
}

/**
 * Follows the keyring file. Rejects if the first keyring lacks a key that is in use, and ignores a later keyring that
 * lacks one. At the start and after each change, wraps all data keys with the active key in the background. When the
 * log reports that this is done, the other keys can be removed.
 */
export function followKeyring({ collection, ...options }: FollowOptions): Promise<ReadLatest<Keyring>> {
  const { log, observer } = options;

  async function rewrap(keyring: Keyring): Promise<void> {
    try {
      const { rewrapped } = await rewrapDataKeys(keyring, collection);
      if (rewrapped > 0)
        log.info({ count: rewrapped, key: keyring.active }, 'data keys are wrapped with the active key');
    } catch (error) {
      // The remaining data keys stay readable. The next start tries again.
      log.error({ err: error }, 'cannot wrap data keys with the active key');
    }
  }

  async function checkAndRewrap(keyring: Keyring): Promise<Keyring> {
    await checkKeyring(keyring, collection);
    observer?.setExpiries({ [keyring.active]: keyring.rotateBy });
    void rewrap(keyring);
    return keyring;
  }
  return followSecret({ ...options, toResult: checkAndRewrap });
}
