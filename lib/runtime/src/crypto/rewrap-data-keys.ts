import type { Collection } from 'mongodb';
import { systemScope } from '../mongo/system-scope.ts';
import { type DataKeyDocument, unwrapDataKey, wrapDataKey } from './data-key.ts';
import type { Keyring } from './keyring.ts';

/**
 * Wraps all data keys with the active key, so that other keys can be retired; encrypted records do not change. Safe to
 * repeat and to run concurrently. Returns the number of rewrapped data keys, and of those that other keys still wrap.
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
    // Update the data key only if it is unchanged: it may have been erased meanwhile, or replaced under the same id.
    const unchanged = { _id: dataKey._id, 'wrapped.tag': dataKey.wrapped.tag };
    const { modifiedCount } = await dataKeys.updateOne(unchanged, { $set: { wrapped } });
    rewrapped += modifiedCount;
  }
  return { rewrapped, remaining: await dataKeys.countDocuments(wrappedByOthers) };
}
