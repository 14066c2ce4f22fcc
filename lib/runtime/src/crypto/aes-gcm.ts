import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

export interface Sealed {
  readonly iv: Uint8Array;
  /** The ciphertext. */
  readonly ct: Uint8Array;
  readonly tag: Uint8Array;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_OPTIONS = { authTagLength: 16 } as const;

/** Encrypts with a new random 96-bit IV. One key is good for 2^32 encryptions (NIST SP 800-38D, 8.2.2). */
export function sealBytes(key: KeyObject, aad: Uint8Array, plaintext: Uint8Array): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, TAG_OPTIONS).setAAD(aad);
  const ct = cipher.update(plaintext);
  // GCM is a stream cipher mode: final() returns no bytes, but computes the tag.
  cipher.final();
  return { iv, ct, tag: cipher.getAuthTag() };
}

/** Decrypts. Throws `DecryptionError` if the key, the AAD or any byte differs. */
export function openBytes(key: KeyObject, aad: Uint8Array, { iv, ct, tag }: Sealed): Uint8Array {
  // Node throws an error of another kind for wrong lengths.
  if (iv.length !== IV_BYTES || tag.length !== TAG_OPTIONS.authTagLength) throw new DecryptionError();
  const decipher = createDecipheriv(ALGORITHM, key, iv, TAG_OPTIONS).setAAD(aad).setAuthTag(tag);
  const plaintext = decipher.update(ct);
  try {
    decipher.final();
  } catch (error) {
    throw new DecryptionError({ cause: error });
  }
  return plaintext;
}

/**
 * Encodes a list. Lists that differ have different bytes, because JSON quotes texts. Most lists are additional
 * authenticated data (AAD): they bind a ciphertext to its location, for example tenant and document.
 */
export function encodeList(parts: readonly (string | number)[]): Uint8Array {
  return Buffer.from(JSON.stringify(parts));
}

/**
 * A record cannot be decrypted: it was altered or moved to a location with another AAD, or its key is gone. The message
 * is always the same, so it reveals neither content nor cause.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';

  constructor(options?: ErrorOptions) {
    super('The record cannot be decrypted', options);
  }
}
