import type { KeySet } from './key-set.ts';

/** Provides the public keys of an issuer. */
export interface KeySource {
  /** The cached keys. A change of any key makes a new object. */
  readonly current: () => KeySet | undefined;
  /** The keys, loaded first if none are cached. Throws `UNAVAILABLE` if they were never loaded. */
  readonly latest: () => Promise<KeySet>;
  /** Reloads the keys because one is missing, unless they were loaded recently. */
  readonly reload: () => Promise<KeySet>;
}
