import type { Collection } from 'mongodb';
import { systemScope } from '../mongo/system-scope.ts';
import { type DataKeyDocument, unwrapDataKey, wrapDataKey } from './data-key.ts';
import type { Keyring } from './keyring.ts';

/**
 * Wraps with the active key every data key that another one wraps, so that the others can be retired. What is encrypted
 * stays as it is. May run in several processes at once, and be repeated; gives how many it wrapped, and how many others
 * still wrap afterwards.
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
    // Unless it was erased meanwhile, and maybe made anew with other bytes.
    const same = { _id: dataKey._id, 'wrapped.tag': dataKey.wrapped.tag };
    const { modifiedCount } = await dataKeys.updateOne(same, { $set: { wrapped } });
    rewrapped += modifiedCount;
  }
  return { rewrapped, remaining: await dataKeys.countDocuments(wrappedByOthers) };
}
