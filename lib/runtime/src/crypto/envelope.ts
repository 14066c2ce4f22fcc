import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { ReadLatest } from '../config/follow-files.ts';
import { maxEntries } from '../flow/memoize.ts';
import { insertOnce } from '../mongo/insert-once.ts';
import { tenantCollection } from '../mongo/tenant-collection.ts';
import { type DataKeyDocument, rewrapDataKeys, unwrapDataKey, wrapDataKey } from './data-key.ts';
import type { Keyring } from './keyring.ts';
import { createTenantCipher, type EncryptedRecord, type TenantCipher } from './tenant-cipher.ts';

/** Envelope encryption: each tenant has data keys, which a key of the keyring wraps. */
export interface Envelope {
  /** The cipher of a tenant, cached for five minutes. Makes the first data key if the tenant has none. */
  cipherOf(tenantId: TenantId): Promise<TenantCipher>;
  /** @param aad additional authenticated data: see `TenantCipher` */
  encrypt(tenantId: TenantId, aad: readonly string[], plaintext: Uint8Array): Promise<EncryptedRecord>;
  /** Like `TenantCipher.open`, but reloads the data keys if the record uses an unknown one. */
  decrypt(tenantId: TenantId, aad: readonly string[], record: EncryptedRecord): Promise<Uint8Array>;
  /** Makes the next version of a tenant's data key. Other processes use it within five minutes. Returns its number. */
  rotate(tenantId: TenantId): Promise<number>;
  /** Wraps all data keys with the active key of the keyring: see `rewrapDataKeys`. */
  rewrap(): Promise<Rewrapped>;
  /** Deletes a tenant's data keys: its records become unreadable, in other processes within five minutes. */
  erase(tenantId: TenantId): Promise<void>;
}

interface Rewrapped {
  readonly activeKey: string;
  readonly rewrapped: number;
  /** Data keys that other keys still wrap. Those keys must stay in the keyring. */
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
  readonly keyring: ReadLatest<Keyring>;
  readonly clock: () => Date;
}): Envelope {
  /** Not `memoize`: a rotation, or a record with a newer key, reloads a cipher before it expires. */
  const ciphers = new LRUCache<TenantId, TenantCipher>({
    ...maxEntries(CACHED_TENANTS),
    ttl: CACHE_MS,
    fetchMethod: loadCipher,
    // If a cipher is deleted while it loads, the waiting callers still get it, but it is not cached.
    ignoreFetchAbort: true,
  });

  /** Stores and returns a new data key of this version, or returns the one that another process stored first. */
  async function ensureDataKey(tenantId: TenantId, version: number): Promise<DataKeyDocument> {
    const wrapped = wrapDataKey(await keyring(), { tenant_id: tenantId, version }, randomBytes(32));
    const dataKey = { _id: `${tenantId}:${version}`, version, wrapped, created_at: clock() };
    // insertOnce waits for a majority: a key lost in a rollback would make its records unreadable.
    return insertOnce(tenantCollection(collection, tenantId), dataKey);
  }

  async function loadCipher(tenantId: TenantId): Promise<TenantCipher> {
    const stored = await tenantCollection(collection, tenantId).find({}).toArray();
    const dataKeys = stored.length > 0 ? stored : [await ensureDataKey(tenantId, 1)];
    const ring = await keyring();
    const keys = dataKeys.map((dataKey) => [dataKey.version, unwrapDataKey(ring, dataKey)] as const);
    return createTenantCipher(tenantId, new Map(keys));
  }

  function cipherOf(tenantId: TenantId): Promise<TenantCipher> {
    return ciphers.forceFetch(tenantId);
  }

  return {
    cipherOf,

    async encrypt(tenantId, aad, plaintext) {
      return (await cipherOf(tenantId)).seal(aad, plaintext);
    },

    async decrypt(tenantId, aad, record) {
      const cipher = await cipherOf(tenantId);
      const { kv: keyVersion } = record;
      if (cipher.versions.includes(keyVersion)) return cipher.open(aad, record);
      return (await ciphers.forceFetch(tenantId, { forceRefresh: true })).open(aad, record);
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
