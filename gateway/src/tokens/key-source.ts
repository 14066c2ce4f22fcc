import type { JWTVerifyGetKey } from 'jose';

/** The public keys of those who issue tokens. */
export interface KeySource {
  /** For `jwtVerify`. Throws `UNAVAILABLE` when no keys could be had yet. */
  readonly find: JWTVerifyGetKey;
  /** Resolves when there are keys to verify with. */
  ready(): Promise<void>;
}
