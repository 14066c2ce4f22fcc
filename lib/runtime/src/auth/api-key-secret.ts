import { createHash } from 'node:crypto';

/** Common prefix of all API keys, so that people and secret scanners recognize them. */
const PREFIX = 'svk_';
const SECRET = /^svk_[A-Za-z0-9_-]{43}$/;

/** Makes a secret from 32 random bytes: the prefix and the bytes in base64url. */
export function makeApiKeySecret(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString('base64url');
}

/** Whether a bearer token has the format of an API key. A JWT never has it. */
export function isApiKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** SHA-256 of a secret, 32 bytes. It is stored and looked up instead of the secret. */
export function hashApiKeySecret(secret: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(secret).digest();
}

/** The start of a secret, by which people recognize the key: the prefix and 8 of the 43 characters after it. */
export function visiblePartOf(secret: string): string {
  return secret.slice(0, PREFIX.length + 8);
}
