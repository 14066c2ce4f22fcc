import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Binary, type Collection } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { systemScope } from '../mongo/system-scope.ts';
import { tenantCollection } from '../mongo/tenant-collection.ts';
import { toAad } from './aes-gcm.ts';
import { DecryptionError } from './decryption-error.ts';
import type { Keyring } from './keyring.ts';
import { createTenantCipher, type EncryptedRecord, type TenantCipher } from './tenant-cipher.ts';

/** A tenant's data key, wrapped by a key of the keyring. */
export interface DataKeyDocument {
  /** `<tenant>:<version>`, so that two processes cannot make two keys of one version. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly version: number;
  readonly wrapped: { readonly key_id: string; readonly iv: Binary; readonly ct: Binary; readonly tag: Binary };
  readonly created_at: Date;
}

/** Indexes of the collection of data keys. */
export const dataKeyIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1, version: 1 } },
  { name: 'wrapped_by', key: { 'wrapped.key_id': 1 } },
];

/** Encryption with a data key for each tenant, which the keyring wraps. */
export interface Envelope {
  /** The cipher of a tenant, from memory mostly; makes the tenant's first data key when there is none. */
  cipherOf(tenantId: TenantId): Promise<TenantCipher>;
  encrypt(tenantId: TenantId, place: readonly string[], plaintext: Uint8Array): Promise<EncryptedRecord>;
  /** As `TenantCipher.open`, and looks for a data key that another process made lately. Throws `DecryptionError`. */
  decrypt(tenantId: TenantId, place: readonly string[], record: EncryptedRecord): Promise<Uint8Array>;
  /**
   * Makes the next version of a tenant's data key and gives its number. Other processes write with it within five
   * minutes; what was encrypted before stays readable.
   */
  rotate(tenantId: TenantId): Promise<number>;
  /** Deletes a tenant's data keys: nothing encrypted for it can be read again, in other processes within five minutes. */
  erase(tenantId: TenantId): Promise<void>;
  /** Throws, with the ids, when data keys are wrapped by a key that the keyring lacks, or has with other bytes. */
  checkKeyring(): Promise<void>;
}

const CACHED_TENANTS = 10_000;
const CACHE_MS = 5 * 60_000;

export function createEnvelope({
  collection,
  keyring,
  clock,
}: {
  readonly collection: Collection<DataKeyDocument>;
  readonly keyring: Keyring;
  readonly clock: () => Date;
}): Envelope {
  const ciphers = new LRUCache<TenantId, TenantCipher>({
    max: CACHED_TENANTS,
    ttl: CACHE_MS,
    fetchMethod: loadCipher,
  });

  /** Gives the stored key of this version, which is the new one unless another process was first. */
  async function ensureDataKey(tenantId: TenantId, version: number): Promise<DataKeyDocument> {
    const { key_id, iv, ct, tag } = keyring.wrap(randomBytes(32), wrappingAad(tenantId, version));
    const wrapped = { key_id, iv: new Binary(iv), ct: new Binary(ct), tag: new Binary(tag) };
    // An upsert that finds the document is acknowledged by a majority too. A key that a rollback could still take away
    // would take what is encrypted with it along.
    const dataKey = await tenantCollection(collection, tenantId).findOneAndUpdate(
      { _id: `${tenantId}:${version}` },
      { $setOnInsert: { version, wrapped, created_at: clock() } },
      { upsert: true },
    );
    if (dataKey === null) throw new Error('An upsert gave no document');
    return dataKey;
  }

  async function loadCipher(tenantId: TenantId): Promise<TenantCipher> {
    const stored = await tenantCollection(collection, tenantId).find({}).toArray();
    const dataKeys = stored.length > 0 ? stored : [await ensureDataKey(tenantId, 1)];
    const keys = dataKeys.map((dataKey) => [dataKey.version, unwrap(keyring, dataKey)] as const);
    return createTenantCipher(tenantId, new Map(keys));
  }

  function cipherOf(tenantId: TenantId): Promise<TenantCipher> {
    return ciphers.forceFetch(tenantId);
  }

  return {
    cipherOf,

    async encrypt(tenantId, place, plaintext) {
      return (await cipherOf(tenantId)).seal(place, plaintext);
    },

    async decrypt(tenantId, place, record) {
      const cipher = await cipherOf(tenantId);
      if (cipher.versions.includes(record.kv)) return cipher.open(place, record);
      return (await ciphers.forceFetch(tenantId, { forceRefresh: true })).open(place, record);
    },

    async rotate(tenantId) {
      const { versions } = await ciphers.forceFetch(tenantId, { forceRefresh: true });
      const { version } = await ensureDataKey(tenantId, Math.max(...versions) + 1);
      ciphers.delete(tenantId);
      return version;
    },

    async erase(tenantId) {
      await tenantCollection(collection, tenantId).deleteMany({});
      ciphers.delete(tenantId);
    },

    async checkKeyring() {
      const dataKeys = systemScope(collection);
      const unusable: string[] = [];
      for (const keyId of await dataKeys.distinct('wrapped.key_id')) {
        const sample = await dataKeys.findOne({ 'wrapped.key_id': keyId });
        if (sample !== null && !canUnwrap(keyring, sample)) unusable.push(keyId);
      }
      if (unusable.length === 0) return;
      throw new Error(
        `The keyring lacks keys that data keys in the database are wrapped with: ${unusable.sort().join(', ')}`,
      );
    },
  };
}

function wrappingAad(tenantId: TenantId, version: number): Uint8Array {
  return toAad(['data-key', tenantId, version]);
}

function unwrap(keyring: Keyring, { tenant_id, version, wrapped }: DataKeyDocument): KeyObject {
  const { key_id, iv, ct, tag } = wrapped;
  const sealed = { key_id, iv: iv.value(), ct: ct.value(), tag: tag.value() };
  return createSecretKey(keyring.unwrap(sealed, wrappingAad(tenant_id, version)));
}

function canUnwrap(keyring: Keyring, dataKey: DataKeyDocument): boolean {
  try {
    unwrap(keyring, dataKey);
    return true;
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}
