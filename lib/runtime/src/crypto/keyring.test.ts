import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DecryptionError, encodeList } from './aes-gcm.ts';
import { parseKeyring } from './keyring.ts';

const k1 = randomBytes(32).toString('base64');
const k2 = randomBytes(32).toString('base64');
const json = (value: unknown) => JSON.stringify(value);

describe('parseKeyring', () => {
  it('wraps with the active key and unwraps with the key that the record names', () => {
    const old = parseKeyring(json({ active: 'k1', keys: { k1 } }));
    const rotated = parseKeyring(json({ active: 'k2', keys: { k1, k2 } }));
    const aad = encodeList(['a']);
    const wrapped = old.wrap(Buffer.from('secret'), aad);
    expect(wrapped.key_id).toBe('k1');
    expect(Buffer.from(rotated.unwrap(wrapped, aad)).toString()).toBe('secret');
    expect(rotated.wrap(Buffer.from('secret'), aad).key_id).toBe('k2');
  });

  it('does not unwrap with a missing key, another AAD or another key', () => {
    const ring = parseKeyring(json({ active: 'k1', keys: { k1 } }));
    const wrapped = ring.wrap(Buffer.from('secret'), encodeList(['a']));
    expect(() => ring.unwrap({ ...wrapped, key_id: 'k9' }, encodeList(['a']))).toThrow(DecryptionError);
    expect(() => ring.unwrap(wrapped, encodeList(['b']))).toThrow(DecryptionError);
    const other = parseKeyring(json({ active: 'k1', keys: { k1: k2 } }));
    expect(() => other.unwrap(wrapped, encodeList(['a']))).toThrow(DecryptionError);
  });

  it.each([
    ['text that is not JSON', `{"active":"k1","keys":{"k1":"${k1}"`, 'JSON object'],
    ['an array', '[]', 'JSON object'],
    ['null', 'null', 'JSON object'],
    ['no active key', json({ keys: { k1 } }), '`active` must be the id of a key'],
    ['an active key that is not there', json({ active: 'k2', keys: { k1 } }), '`active` must name one of `keys`'],
    ['an active key of the prototype', json({ active: 'toString', keys: { k1 } }), '`active` must name one of `keys`'],
    ['no keys', json({ active: 'k1', keys: {} }), 'at least one key'],
    ['keys as a list', json({ active: 'k1', keys: [k1] }), '`keys` must be an object'],
    [
      'another member',
      json({ active: 'k1', keys: { k1 }, [k2]: 1 }),
      'the only members are `active`, `keys` and `rotate_by`',
    ],
    ['an invalid date', json({ active: 'k1', keys: { k1 }, rotate_by: 'soon' }), '`rotate_by` must be a date'],
    [
      'a key of 31 bytes',
      json({ active: 'k1', keys: { k1: randomBytes(31).toString('base64') } }),
      'key 1 of `keys` must be 32 bytes',
    ],
    [
      'a key of 33 bytes',
      json({ active: 'k1', keys: { k1: randomBytes(33).toString('base64') } }),
      'key 1 of `keys` must be 32 bytes',
    ],
    [
      'a key without padding',
      json({ active: 'k1', keys: { k1: k1.replace('=', '') } }),
      'key 1 of `keys` must be 32 bytes',
    ],
    ['a key with a line feed', json({ active: 'k1', keys: { k1: `${k1}\n` } }), 'key 1 of `keys` must be 32 bytes'],
    [
      'a key in hex',
      json({ active: 'k1', keys: { k1: randomBytes(32).toString('hex') } }),
      'key 1 of `keys` must be 32 bytes',
    ],
    ['a key that is not text', json({ active: 'k1', keys: { k1: 1 } }), 'key 1 of `keys` must be 32 bytes'],
    [
      'a key without padding in place of its id',
      json({ active: 'k1', keys: { [k2.replace(/[+/=]/g, '')]: 'k1' } }),
      'key 1 of `keys` must be',
    ],
    ['a key instead of an id', json({ active: 'k1', keys: { k1, [`${k2}/`]: 'k2' } }), 'the id of a key'],
  ])('rejects %s without quoting a key', (_, text, message) => {
    let error: unknown;
    try {
      parseKeyring(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Error);
    const words = `${error instanceof Error ? `${error.stack} ${error.cause}` : ''}`;
    expect(words).toContain(message);
    for (const key of [k1, k2]) expect(words).not.toContain(key.slice(0, 8));
  });

  it('reports all problems at once', () => {
    expect(() => parseKeyring(json({ active: 'x', keys: { a: '', b: '' } }))).toThrow(/key 1 .*key 2 .*`active`/);
  });
});
