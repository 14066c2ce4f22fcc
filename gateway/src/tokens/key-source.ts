import type { KeySet } from './key-set.ts';

/** Provides the public keys of an issuer. */
export interface KeySource {
  /** The cached keys. A change of any key makes a new object. */
  readonly current: () => KeySet | undefined;
  /** The current keys. Throws `UNAVAILABLE` until they have been loaded once. */
  readonly latest: () => Promise<KeySet>;
  /** Reloads the keys because one is missing, unless they were loaded recently. */
  readonly reload: () => Promise<KeySet>;
}
