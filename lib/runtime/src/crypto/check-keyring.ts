import type { Collection } from 'mongodb';
import { systemScope } from '../mongo/system-scope.ts';
import { type DataKeyDocument, unwrapDataKey } from './data-key.ts';
import { DecryptionError } from './decryption-error.ts';
import type { Keyring } from './keyring.ts';

/** Throws, with the ids, when data keys are wrapped by a key that the keyring lacks, or has with other bytes. */
export async function checkKeyring(keyring: Keyring, collection: Collection<DataKeyDocument>): Promise<void> {
  const dataKeys = systemScope(collection);
  const unusable: string[] = [];
  for (const keyId of await dataKeys.distinct('wrapped.key_id')) {
    const sample = await dataKeys.findOne({ 'wrapped.key_id': keyId });
    if (sample !== null && !canUnwrap(keyring, sample)) unusable.push(keyId);
  }
  if (unusable.length > 0) {
    throw new Error(
      `The keyring lacks keys that data keys in the database are wrapped with: ${unusable.sort().join(', ')}`,
    );
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
