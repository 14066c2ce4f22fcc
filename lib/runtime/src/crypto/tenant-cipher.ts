import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Binary } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import { DecryptionError, encodeList, openBytes, sealBytes } from './aes-gcm.ts';

/** Data encrypted for a tenant, as stored. */
export interface EncryptedRecord {
  readonly v: 1;
  /** Version of the tenant's data key. */
  readonly kv: number;
  readonly iv: Binary;
  readonly ct: Binary;
  readonly tag: Binary;
}

/** A hash that is keyed by a tenant's data key, as stored. */
export interface KeyedHash {
  /** Version of the tenant's data key. */
  readonly kv: number;
  readonly mac: Binary;
}

/**
 * Encrypts and hashes with the data keys of one tenant. `aad` (additional authenticated data) names what is encrypted,
 * such as survey, response and field. `open` needs the same `aad` as `seal`.
 */
export interface TenantCipher {
  seal(aad: readonly string[], plaintext: Uint8Array): EncryptedRecord;
  /** Throws `DecryptionError` if the record or `aad` was altered, or if the data key is missing. */
  open(aad: readonly string[], record: EncryptedRecord): Uint8Array;
  /** HMAC-SHA256 with a key for this tenant and purpose, to compare bytes without storing them. */
  hash(purpose: string, bytes: Uint8Array): KeyedHash;
  /**
   * Like `hash`, but always with the oldest data key: 32 bytes that rotations do not change. After the tenant's keys
   * are destroyed, nothing links a hash to its input.
   */
  stableHash(purpose: string, bytes: Uint8Array): Uint8Array;
  /**
   * Whether a hash is of these bytes. Throws `DecryptionError` if the cipher lacks the data key of the hash: the key
   * was destroyed, or is newer than the cipher.
   */
  isHashOf(hash: KeyedHash, purpose: string, bytes: Uint8Array): boolean;
  /** Versions of the data keys, oldest first. */
  readonly versions: readonly number[];
}

const RECORD_VERSION = 1;

/** @param keys data keys (32 bytes) by version, at least one */
export function createTenantCipher(tenantId: TenantId, keys: ReadonlyMap<number, KeyObject>): TenantCipher {
  const versions = [...keys.keys()].sort((a, b) => a - b);
  const newest = Math.max(...versions);
  const hashKeys = new Map<string, KeyObject>();

  function keyOf(version: number): KeyObject {
    const key = keys.get(version);
    if (key === undefined) throw new DecryptionError();
    return key;
  }

  function toRecordAad(version: number, aad: readonly string[]): Uint8Array {
    return encodeList([RECORD_VERSION, version, tenantId, ...aad]);
  }

  function mac(version: number, purpose: string, bytes: Uint8Array): Buffer {
    const name = `${version} ${purpose}`;
    const key = hashKeys.get(name) ?? deriveKey(keyOf(version), encodeList(['keyed-hash', tenantId, purpose]));
    hashKeys.set(name, key);
    return createHmac('sha256', key).update(bytes).digest();
  }

  return {
    versions,
    seal(aad, plaintext) {
      const { iv, ct, tag } = sealBytes(keyOf(newest), toRecordAad(newest, aad), plaintext);
      return { v: RECORD_VERSION, kv: newest, iv: new Binary(iv), ct: new Binary(ct), tag: new Binary(tag) };
    },
    open(aad, record) {
      if (record.v !== RECORD_VERSION) throw new DecryptionError();
      const sealed = { iv: record.iv.value(), ct: record.ct.value(), tag: record.tag.value() };
      return openBytes(keyOf(record.kv), toRecordAad(record.kv, aad), sealed);
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

/** HKDF-SHA256 (RFC 5869). A data key is uniformly random, so no salt is needed. */
function deriveKey(dataKey: KeyObject, info: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, Buffer.alloc(0), info, 32)));
}
