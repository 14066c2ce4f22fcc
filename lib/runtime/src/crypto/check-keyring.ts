import type { Collection } from 'mongodb';
import { systemScope } from '../mongo/system-scope.ts';
import { type DataKeyDocument, unwrapDataKey } from './data-key.ts';
import { DecryptionError } from './decryption-error.ts';
import type { Keyring } from './keyring.ts';

/** Throws an error with the ids of keys that wrap data keys, but are missing in the keyring or have other bytes. */
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
