import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiKeySecret, isApiKeySecret, makeApiKeySecret, visiblePartOf } from './api-key-secret.ts';

describe('the secret of an API key', () => {
  it('is known by its form', () => {
    const secret = makeApiKeySecret(randomBytes);
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

  it('holds 32 random bytes', () => {
    const asked: number[] = [];
    const secret = makeApiKeySecret((size) => {
      asked.push(size);
      return Buffer.alloc(size, 1);
    });
    expect(asked).toEqual([32]);
    expect(Buffer.from(secret.slice(4), 'base64url')).toEqual(Buffer.alloc(32, 1));
  });

  it('is looked up by its hash, and shows twelve characters', () => {
    const secret = makeApiKeySecret(randomBytes);
    expect(hashApiKeySecret(secret)).toHaveLength(32);
    expect(visiblePartOf(secret)).toBe(secret.slice(0, 12));
  });
});
