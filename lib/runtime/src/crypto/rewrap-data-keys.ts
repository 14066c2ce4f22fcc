import type { Collection } from 'mongodb';
import { systemScope } from '../mongo/system-scope.ts';
import { type DataKeyDocument, unwrapDataKey, wrapDataKey } from './data-key.ts';
import type { Keyring } from './keyring.ts';

/**
 * Wraps with the active key every data key that another one wraps, so that the others can be retired. What is encrypted
 * stays as it is. May run in several processes at once, and be repeated; gives how many it wrapped.
 */
export async function rewrapDataKeys(keyring: Keyring, collection: Collection<DataKeyDocument>): Promise<number> {
  const dataKeys = systemScope(collection);
  let count = 0;
  for await (const dataKey of dataKeys.find({ 'wrapped.key_id': { $ne: keyring.active } })) {
    const wrapped = wrapDataKey(keyring, dataKey, unwrapDataKey(keyring, dataKey).export());
    // Unless it was erased meanwhile, and maybe made anew with other bytes.
    const same = { _id: dataKey._id, 'wrapped.tag': dataKey.wrapped.tag };
    const { modifiedCount } = await dataKeys.updateOne(same, { $set: { wrapped } });
    count += modifiedCount;
  }
  return count;
}
