/**
 * A record that cannot be decrypted: altered, moved to another place, or its key is gone. It does not say which, and
 * names nothing of the content.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';

  constructor(options?: ErrorOptions) {
    super('The record cannot be decrypted', options);
  }
}
