import { createHash } from 'node:crypto';

/** What every API key begins with, so that people and scanners of leaked secrets know one when they see it. */
const PREFIX = 'svk_';
const SECRET = /^svk_[A-Za-z0-9_-]{43}$/;

/** The secret that is made of 32 bytes, which nobody may be able to foresee: the prefix and the bytes in base64url. */
export function makeApiKeySecret(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString('base64url');
}

/** Whether a bearer token has the form of an API key. No JWT has it. */
export function isApiKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** SHA-256 of a secret, 32 bytes: what is stored and looked up in its place. */
export function hashApiKeySecret(secret: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(secret).digest();
}

/** The part of a secret that may be shown: the prefix and 8 of the 43 characters after it. */
export function visiblePartOf(secret: string): string {
  return secret.slice(0, PREFIX.length + 8);
}
