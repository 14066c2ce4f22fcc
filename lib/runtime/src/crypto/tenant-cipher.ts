import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { Binary } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import { open, seal, toAad } from './aes-gcm.ts';
import { DecryptionError } from './decryption-error.ts';
import type { RandomSource } from './random-source.ts';

/** Something encrypted for a tenant, as it is stored. */
export interface EncryptedRecord {
  /** Version of this format. */
  readonly v: 1;
  /** Version of the tenant's data key. */
  readonly kv: number;
  readonly iv: Binary;
  readonly ct: Binary;
  readonly tag: Binary;
}

/** A keyed hash and the version of the data key that it was made with. */
export interface KeyedHash {
  readonly kv: number;
  readonly mac: Binary;
}

/**
 * What one tenant's data keys can do, without waiting. `place` says where a record belongs, part by part (survey,
 * response, field): it is bound to the record, which cannot be read as anything else.
 */
export interface TenantCipher {
  /** Encrypts with the newest data key. */
  seal(place: readonly string[], plaintext: Uint8Array): EncryptedRecord;
  /** Throws `DecryptionError` when anything differs from what was sealed, or the data key is not among these. */
  open(place: readonly string[], record: EncryptedRecord): Uint8Array;
  /** HMAC-SHA256 under a key of this tenant and purpose alone; tells whether bytes are the same without storing them. */
  hash(purpose: string, bytes: Uint8Array): KeyedHash;
  /**
   * HMAC-SHA256 as `hash`, always under the oldest data key: the same bytes give the same 32 bytes after rotations too, and
   * nobody without the keys can tell or foresee them.
   */
  stableHash(purpose: string, bytes: Uint8Array): Uint8Array;
  /** Tells whether the bytes are the ones that were hashed. Throws `DecryptionError` when the data key is gone. */
  isHashOf(hash: KeyedHash, purpose: string, bytes: Uint8Array): boolean;
  /** Versions of the data keys that it has, oldest first. */
  readonly versions: readonly number[];
}

const RECORD_VERSION = 1;

/** @param keys the tenant's data keys (32 bytes) by version, at least one */
export function createTenantCipher(
  tenantId: TenantId,
  keys: ReadonlyMap<number, KeyObject>,
  random: RandomSource = randomBytes,
): TenantCipher {
  const versions = [...keys.keys()].sort((a, b) => a - b);
  const newest = Math.max(...versions);
  const hashKeys = new Map<string, KeyObject>();

  function keyOf(version: number): KeyObject {
    const key = keys.get(version);
    if (key === undefined) throw new DecryptionError();
    return key;
  }

  function aadOf(version: number, place: readonly string[]): Uint8Array {
    return toAad([RECORD_VERSION, version, tenantId, ...place]);
  }

  function mac(version: number, purpose: string, bytes: Uint8Array): Buffer {
    const name = `${version} ${purpose}`;
    const key = hashKeys.get(name) ?? deriveKey(keyOf(version), toAad(['keyed-hash', tenantId, purpose]));
    hashKeys.set(name, key);
    return createHmac('sha256', key).update(bytes).digest();
  }

  return {
    versions,
    seal(place, plaintext) {
      const { iv, ct, tag } = seal(keyOf(newest), aadOf(newest, place), plaintext, random);
      return { v: RECORD_VERSION, kv: newest, iv: new Binary(iv), ct: new Binary(ct), tag: new Binary(tag) };
    },
    open(place, record) {
      if (record.v !== RECORD_VERSION) throw new DecryptionError();
      const sealed = { iv: record.iv.value(), ct: record.ct.value(), tag: record.tag.value() };
      return open(keyOf(record.kv), aadOf(record.kv, place), sealed);
    },
    hash(purpose, bytes) {
      return { kv: newest, mac: new Binary(mac(newest, purpose, bytes)) };
    },
    stableHash: (purpose, bytes) => mac(Math.min(...versions), purpose, bytes),
    isHashOf(hash, purpose, bytes) {
      const expected = mac(hash.kv, purpose, bytes);
      const actual = hash.mac.value();
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
  };
}

/** HKDF-SHA256 (RFC 5869) of a data key, which is uniformly random and so needs no salt. */
function deriveKey(dataKey: KeyObject, info: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, Buffer.alloc(0), info, 32)));
}
