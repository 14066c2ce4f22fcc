import type { KeySet } from './key-set.ts';

/** Where the public keys of an issuer come from. */
export interface KeySource {
  /** What is known, without looking anywhere; another object when anything has changed. */
  readonly current: () => KeySet | undefined;
  /** The keys that hold now. Throws `UNAVAILABLE` as long as none could be had. */
  readonly latest: () => Promise<KeySet>;
  /** The keys for one that the latest lack: asked for again, unless that was done a moment ago. */
  readonly renewed: () => Promise<KeySet>;
}
