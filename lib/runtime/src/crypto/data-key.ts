import { createSecretKey, type KeyObject } from 'node:crypto';
import { Binary, type Collection } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { systemScope } from '../mongo/system-scope.ts';
import { encodeList } from './aes-gcm.ts';
import type { Keyring } from './keyring.ts';

/** A tenant's data key, wrapped by a key of the keyring. */
export interface DataKeyDocument {
  /** `<tenant>:<version>`, so that two processes cannot make two keys of the same version. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly version: number;
  readonly wrapped: { readonly key_id: string; readonly iv: Binary; readonly ct: Binary; readonly tag: Binary };
  readonly created_at: Date;
}

export const dataKeyIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1, version: 1 } },
  { name: 'wrapped_by', key: { 'wrapped.key_id': 1 } },
];

/** Wraps a data key with the active key. The result is bound to the tenant and version. */
export function wrapDataKey(
  keyring: Keyring,
  { tenant_id, version }: Pick<DataKeyDocument, 'tenant_id' | 'version'>,
  secret: Uint8Array,
): DataKeyDocument['wrapped'] {
  const { key_id, iv, ct, tag } = keyring.wrap(secret, aadOf(tenant_id, version));
  return { key_id, iv: new Binary(iv), ct: new Binary(ct), tag: new Binary(tag) };
}

/** Unwraps a data key. Throws `DecryptionError` if the keyring lacks the key, or if the document was altered. */
export function unwrapDataKey(keyring: Keyring, dataKey: Omit<DataKeyDocument, '_id' | 'created_at'>): KeyObject {
  const { key_id, iv, ct, tag } = dataKey.wrapped;
  const sealed = { key_id, iv: iv.value(), ct: ct.value(), tag: tag.value() };
  return createSecretKey(keyring.unwrap(sealed, aadOf(dataKey.tenant_id, dataKey.version)));
}

function aadOf(tenantId: TenantId, version: number): Uint8Array {
  return encodeList(['data-key', tenantId, version]);
}

/**
 * Wraps all data keys with the active key, so that other keys can be retired. Encrypted records do not change. Safe to
 * repeat and to run concurrently. Returns the number of rewrapped data keys, and the number that other keys still wrap:
 * a process with an older keyring may have added some.
 */
export async function rewrapDataKeys(
  keyring: Keyring,
  collection: Collection<DataKeyDocument>,
): Promise<{ readonly rewrapped: number; readonly remaining: number }> {
  const dataKeys = systemScope(collection);
  const wrappedByOthers = { 'wrapped.key_id': { $ne: keyring.active } };
  let rewrapped = 0;
  for await (const dataKey of dataKeys.find(wrappedByOthers)) {
    const wrapped = wrapDataKey(keyring, dataKey, unwrapDataKey(keyring, dataKey).export());
    // Skip a data key that changed since it was read: it was erased, replaced under the same id, or rewrapped.
    const unchanged = { _id: dataKey._id, 'wrapped.tag': dataKey.wrapped.tag };
    const { modifiedCount } = await dataKeys.updateOne(unchanged, { $set: { wrapped } });
    rewrapped += modifiedCount;
  }
  return { rewrapped, remaining: await dataKeys.countDocuments(wrappedByOthers) };
}
