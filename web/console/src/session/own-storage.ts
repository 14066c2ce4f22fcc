/** Keys of the console, of its OpenID Connect client, and of its router. */
const OWN_PREFIXES = ['survey-console-', 'oidc.', 'tsr-'];

/** Removes the entries of the console. The page for respondents shares the storage, and its entries stay. */
export function clearOwnStorage(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const key of keys) if (OWN_PREFIXES.some((prefix) => key.startsWith(prefix))) storage.removeItem(key);
}
