import { stringify } from 'uuid';

/** The scope of an idempotency key. The same text in another scope is another key. */
export interface KeyScope {
  /** The route. `link-token`: the key is the token of a single-use link. */
  readonly kind: 'public' | 'tenant' | 'link' | 'link-token';
  /** Id of the survey or link. */
  readonly id: string;
  /**
   * Number of the attempt, from 1. A token is free again after its response in progress was deleted or abandoned, but
   * that id stays in use.
   */
  readonly attempt?: number;
}

/** Encodes a key with its scope. Different keys or scopes give different bytes. */
export function toKeyBytes({ kind, id, attempt = 1 }: KeyScope, key: string): Uint8Array {
  return Buffer.from(JSON.stringify([kind, id, key, ...(attempt === 1 ? [] : [attempt])]));
}

/** Makes a UUID (RFC 9562, version 8) from 16 bytes of a hash. */
export function uuidOfHash(hash: Uint8Array): string {
  const bytes = Uint8Array.from(hash);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}
