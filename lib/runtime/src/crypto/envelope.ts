import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { Latest } from '../config/follow-files.ts';
import { insertOnce } from '../mongo/insert-once.ts';
import { tenantCollection } from '../mongo/tenant-collection.ts';
import { type DataKeyDocument, unwrapDataKey, wrapDataKey } from './data-key.ts';
import type { Keyring } from './keyring.ts';
import { createRandomSource } from './random-source.ts';
import { rewrapDataKeys } from './rewrap-data-keys.ts';
import { createTenantCipher, type EncryptedRecord, type TenantCipher } from './tenant-cipher.ts';

/** Encryption with a data key for each tenant, which the keyring wraps. */
export interface Envelope {
  /** The cipher of a tenant, from memory mostly; makes the tenant's first data key when there is none. */
  cipherOf(tenantId: TenantId): Promise<TenantCipher>;
  encrypt(tenantId: TenantId, place: readonly string[], plaintext: Uint8Array): Promise<EncryptedRecord>;
  /** As `TenantCipher.open`, and looks for a data key that another process made lately. Throws `DecryptionError`. */
  decrypt(tenantId: TenantId, place: readonly string[], record: EncryptedRecord): Promise<Uint8Array>;
  /**
   * Makes the next version of a tenant's data key, the first one where there is none, and gives its number. Other processes write with it within five
   * minutes; what was encrypted before stays readable.
   */
  rotate(tenantId: TenantId): Promise<number>;
  /**
   * Wraps with the keyring's active key every data key that another one wraps. What is encrypted stays as it is. May run
   * in several processes at once, and be repeated.
   */
  rewrap(): Promise<Rewrapped>;
  /** Deletes a tenant's data keys: nothing encrypted for it can be read again, in other processes within five minutes. */
  erase(tenantId: TenantId): Promise<void>;
}

/** What was wrapped anew, and what is left. */
interface Rewrapped {
  /** Id of the keyring's active key. */
  readonly activeKey: string;
  readonly rewrapped: number;
  /** How many data keys others still wrap: none of those may go from the keyring. */
  readonly remaining: number;
}

const CACHED_TENANTS = 10_000;
const CACHE_MS = 5 * 60_000;

export function createEnvelope({
  collection,
  keyring,
  clock,
}: {
  readonly collection: Collection<DataKeyDocument>;
  readonly keyring: Latest<Keyring>;
  readonly clock: () => Date;
}): Envelope {
  const random = createRandomSource();
  const ciphers = new LRUCache<TenantId, TenantCipher>({
    max: CACHED_TENANTS,
    ttl: CACHE_MS,
    fetchMethod: loadCipher,
    // Who waits for a cipher that is deleted meanwhile gets it all the same; it is not kept.
    ignoreFetchAbort: true,
  });

  /** Gives the stored key of this version, which is the new one unless another process was first. */
  async function ensureDataKey(tenantId: TenantId, version: number): Promise<DataKeyDocument> {
    const wrapped = wrapDataKey(await keyring(), { tenant_id: tenantId, version }, randomBytes(32));
    const dataKey = { _id: `${tenantId}:${version}`, version, wrapped, created_at: clock() };
    // A key that a rollback could still take away would take what is encrypted with it along.
    return insertOnce(tenantCollection(collection, tenantId), dataKey);
  }

  async function loadCipher(tenantId: TenantId): Promise<TenantCipher> {
    const stored = await tenantCollection(collection, tenantId).find({}).toArray();
    const dataKeys = stored.length > 0 ? stored : [await ensureDataKey(tenantId, 1)];
    const ring = await keyring();
    const keys = dataKeys.map((dataKey) => [dataKey.version, unwrapDataKey(ring, dataKey)] as const);
    return createTenantCipher(tenantId, new Map(keys), random);
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
      const stored = await tenantCollection(collection, tenantId).find({}).toArray();
      const { version } = await ensureDataKey(tenantId, Math.max(0, ...stored.map((key) => key.version)) + 1);
      ciphers.delete(tenantId);
      return version;
    },

    async rewrap() {
      const ring = await keyring();
      return { activeKey: ring.active, ...(await rewrapDataKeys(ring, collection)) };
    },

    async erase(tenantId) {
      await tenantCollection(collection, tenantId).deleteMany({});
      ciphers.delete(tenantId);
    },
  };
}
