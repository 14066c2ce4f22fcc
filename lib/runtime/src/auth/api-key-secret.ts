import { createHash } from 'node:crypto';

/** What every API key begins with, so that people and scanners of leaked secrets know one when they see it. */
const PREFIX = 'svk_';
const RANDOM_BYTES = 32;
const SECRET = /^svk_[A-Za-z0-9_-]{43}$/;

/** A new secret: the prefix and 32 random bytes in base64url. */
export function makeApiKeySecret(randomBytes: (size: number) => Buffer): string {
  return PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Whether a bearer token has the form of an API key. No JWT has it. */
export function isApiKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** SHA-256 of a secret, 32 bytes: what is stored and looked up in its place. */
export function hashApiKeySecret(secret: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(secret).digest();
}

/** The part of a secret that may be shown: the prefix and 8 of its 43 random characters. */
export function visiblePartOf(secret: string): string {
  return secret.slice(0, PREFIX.length + 8);
}
