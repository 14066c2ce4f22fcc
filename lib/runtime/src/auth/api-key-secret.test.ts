import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiKeySecret, isApiKeySecret, makeApiKeySecret, visiblePartOf } from './api-key-secret.ts';

describe('the secret of an API key', () => {
  it('is recognized by its format', () => {
    const secret = makeApiKeySecret(randomBytes(32));
    expect(isApiKeySecret(secret)).toBe(true);
    expect(isApiKeySecret('a.b.c')).toBe(false);
    for (const other of [
      '',
      'svk_',
      `${secret}a`,
      secret.slice(0, -1),
      secret.toUpperCase(),
      ` ${secret}`,
      `${secret}\n`,
    ])
      expect(isApiKeySecret(other)).toBe(false);
  });

  it('contains the bytes that it is made from', () => {
    const bytes = randomBytes(32);
    expect(Buffer.from(makeApiKeySecret(bytes).slice(4), 'base64url')).toEqual(bytes);
  });

  it('is looked up by its hash, and shows only twelve characters', () => {
    const secret = makeApiKeySecret(randomBytes(32));
    expect(hashApiKeySecret(secret)).toHaveLength(32);
    expect(visiblePartOf(secret)).toBe(secret.slice(0, 12));
  });
});
