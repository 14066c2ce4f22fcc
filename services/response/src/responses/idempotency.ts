import { stringify } from 'uuid';

/** The route that a key was used on; the same key on another one is another key. */
export type IdempotencyScope = 'public' | 'tenant';

/** What a key is good for: the same key in another place is another key. */
export interface KeyPlace {
  readonly scope: IdempotencyScope;
  readonly surveyId: string;
}

/** The key with its place as bytes, one encoding for each. */
export function toKeyBytes({ scope, surveyId }: KeyPlace, key: string): Uint8Array {
  return Buffer.from(JSON.stringify([scope, surveyId, key]));
}

/** An id (RFC 9562, version 8) of 16 bytes of a hash. */
export function toId(hash: Uint8Array): string {
  const bytes = Uint8Array.from(hash);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}
