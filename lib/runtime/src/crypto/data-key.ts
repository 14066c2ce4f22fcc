import { createSecretKey, type KeyObject } from 'node:crypto';
import { Binary } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { toAad } from './aes-gcm.ts';
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

/** Unwraps a data key. Throws `DecryptionError` if the keyring lacks the key, or anything was altered or moved. */
export function unwrapDataKey(keyring: Keyring, dataKey: Omit<DataKeyDocument, '_id' | 'created_at'>): KeyObject {
  const { key_id, iv, ct, tag } = dataKey.wrapped;
  const sealed = { key_id, iv: iv.value(), ct: ct.value(), tag: tag.value() };
  return createSecretKey(keyring.unwrap(sealed, aadOf(dataKey.tenant_id, dataKey.version)));
}

function aadOf(tenantId: TenantId, version: number): Uint8Array {
  return toAad(['data-key', tenantId, version]);
}
