import { createSecretKey, randomBytes } from 'node:crypto';
import { Binary } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { DecryptionError } from './aes-gcm.ts';
import { createTenantCipher, type EncryptedRecord } from './tenant-cipher.ts';

const tenant = toTenantId('t1');
const key = () => createSecretKey(randomBytes(32));
const [first, second] = [key(), key()];
const aad = ['survey', 'response', 'answers'];
const plaintext = Buffer.from('the answers');

function flipped(bytes: Binary, at = 0): Binary {
  const copy = Buffer.from(bytes.value());
  copy[at] = (copy[at] ?? 0) ^ 1;
  return new Binary(copy);
}

const cut = (bytes: Binary, length: number) => new Binary(bytes.value().slice(0, length));

describe('a tenant cipher', () => {
  const cipher = createTenantCipher(tenant, new Map([[1, first]]));
  const record = cipher.seal(aad, plaintext);

  it('opens what it sealed, including empty content', () => {
    expect(cipher.open(aad, record)).toEqual(plaintext);
    expect(cipher.open(aad, cipher.seal(aad, new Uint8Array()))).toHaveLength(0);
  });

  it('never produces the same ciphertext twice', () => {
    const other = cipher.seal(aad, plaintext);
    expect(other.iv.value()).not.toEqual(record.iv.value());
    expect(other.ct.value()).not.toEqual(record.ct.value());
  });

  it('seals with the newest key and opens with the key of the record', () => {
    const rotated = createTenantCipher(
      tenant,
      new Map([
        [2, second],
        [1, first],
      ]),
    );
    expect(rotated.versions).toEqual([1, 2]);
    expect(rotated.seal(aad, plaintext).kv).toBe(2);
    expect(rotated.open(aad, record)).toEqual(plaintext);
  });

  it.each<[string, Partial<Record<keyof EncryptedRecord, unknown>>]>([
    ['format', { v: 2 }],
    ['key version', { kv: 2 }],
    ['IV', { iv: flipped(record.iv) }],
    ['IV, shorter', { iv: cut(record.iv, 11) }],
    ['IV, empty', { iv: cut(record.iv, 0) }],
    ['content', { ct: flipped(record.ct, 3) }],
    ['content, shorter', { ct: cut(record.ct, 5) }],
    ['content, empty', { ct: cut(record.ct, 0) }],
    ['tag', { tag: flipped(record.tag, 15) }],
    ['tag, shorter', { tag: cut(record.tag, 12) }],
    ['tag, empty', { tag: cut(record.tag, 0) }],
  ])('does not open a record with another %s', (_, change) => {
    const altered = { ...record, ...change } as EncryptedRecord;
    expect(() => cipher.open(aad, altered)).toThrow(new DecryptionError());
  });

  it('does not open a record under another version that exists', () => {
    const both = createTenantCipher(
      tenant,
      new Map([
        [1, first],
        [2, first],
      ]),
    );
    expect(() => both.open(aad, { ...record, kv: 2 })).toThrow(DecryptionError);
  });

  it.each([
    [['survey', 'response', 'metadata']],
    [['survey', 'other', 'answers']],
    [['survey', 'response']],
    [['survey', 'response', 'answers', '']],
    [['survey', 'responseanswers']],
    [['survey","response', 'answers']],
    [[]],
  ])('does not open a record with the AAD %j', (elsewhere) => {
    expect(() => cipher.open(elsewhere, record)).toThrow(DecryptionError);
  });

  it('does not open a record of another tenant, even with the same key', () => {
    const theirs = createTenantCipher(toTenantId('t2'), new Map([[1, first]]));
    expect(() => theirs.open(aad, record)).toThrow(DecryptionError);
  });

  it('hashes are equal for the same bytes, purpose and tenant', () => {
    const hash = cipher.hash('body', plaintext);
    expect(cipher.hash('body', plaintext)).toEqual(hash);
    expect(cipher.isHashOf(hash, 'body', plaintext)).toBe(true);
    expect(cipher.isHashOf(hash, 'body', Buffer.from('other'))).toBe(false);
    expect(cipher.isHashOf(hash, 'other', plaintext)).toBe(false);
    expect(cipher.isHashOf({ kv: 1, mac: cut(hash.mac, 8) }, 'body', plaintext)).toBe(false);
    const theirs = createTenantCipher(toTenantId('t2'), new Map([[1, first]]));
    expect(theirs.isHashOf(hash, 'body', plaintext)).toBe(false);
  });

  it('stable hashes survive a rotation, and differ by purpose and tenant', () => {
    const hash = cipher.stableHash('id', plaintext);
    expect(hash).toHaveLength(32);
    const rotated = createTenantCipher(
      tenant,
      new Map([
        [2, second],
        [1, first],
      ]),
    );
    expect(rotated.stableHash('id', plaintext)).toEqual(hash);
    expect(cipher.stableHash('other', plaintext)).not.toEqual(hash);
    expect(cipher.stableHash('id', Buffer.from('other'))).not.toEqual(hash);
    expect(createTenantCipher(toTenantId('t2'), new Map([[1, first]])).stableHash('id', plaintext)).not.toEqual(hash);
    expect(createTenantCipher(tenant, new Map([[1, second]])).stableHash('id', plaintext)).not.toEqual(hash);
  });

  it('verifies hashes of older keys, but not of keys that are gone', () => {
    const hash = cipher.hash('body', plaintext);
    const rotated = createTenantCipher(
      tenant,
      new Map([
        [1, first],
        [2, second],
      ]),
    );
    expect(rotated.isHashOf(hash, 'body', plaintext)).toBe(true);
    expect(rotated.hash('body', plaintext).kv).toBe(2);
    const erased = createTenantCipher(tenant, new Map([[2, second]]));
    expect(() => erased.isHashOf(hash, 'body', plaintext)).toThrow(DecryptionError);
  });
});
