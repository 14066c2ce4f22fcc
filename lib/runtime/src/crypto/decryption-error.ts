/**
 * A record cannot be decrypted: it was altered or moved, or its key is gone. The message is always the same, so it
 * reveals neither content nor the cause.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';

  constructor(options?: ErrorOptions) {
    super('The record cannot be decrypted', options);
  }
}
