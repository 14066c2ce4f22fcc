import { stringify } from 'uuid';

/** What a key is good for: the same key in another place is another key. */
export interface KeyPlace {
  /** The route that it was used on. The token of a single-use link is a key too. */
  readonly scope: 'public' | 'tenant' | 'link' | 'link-token';
  /** Id of the survey or link. */
  readonly id: string;
}

/** The key with its place as bytes, one encoding for each. */
export function toKeyBytes({ scope, id }: KeyPlace, key: string): Uint8Array {
  return Buffer.from(JSON.stringify([scope, id, key]));
}

/** An id (RFC 9562, version 8) of 16 bytes of a hash. */
export function toId(hash: Uint8Array): string {
  const bytes = Uint8Array.from(hash);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}
