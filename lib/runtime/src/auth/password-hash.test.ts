import { describe, expect, it } from 'vitest';
import { createPasswordHasher } from './password-hash.ts';

const { hashPassword, isPassword } = createPasswordHasher();

describe('the hash of a password', () => {
  it('matches only its password', async () => {
    const hash = await hashPassword('correct horse');
    expect(await isPassword(hash, 'correct horse')).toBe(true);
    for (const other of ['', 'correct hors', 'correct horse ', 'Correct horse'])
      expect(await isPassword(hash, other)).toBe(false);
  });

  it('names its parameters but not the password, and differs each time', async () => {
    const hashes = [await hashPassword('secret'), await hashPassword('secret')];
    for (const hash of hashes) expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(new Set(hashes).size).toBe(2);
  });

  it('is verified with its own parameters', async () => {
    // The second vector of RFC 7914, section 12, truncated to our length.
    const salt = Buffer.from('NaCl').toString('base64').replaceAll('=', '');
    const key = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
    const hash = `$scrypt$ln=10,r=8,p=16$${salt}$${key.toString('base64').replaceAll('=', '')}`;
    expect(await isPassword(hash, 'password')).toBe(true);
    expect(await isPassword(hash, 'Password')).toBe(false);
  });

  it.each([
    '',
    'secret',
    '$scrypt$ln=15,r=8,p=1$AAAA',
    '$scrypt$ln=15,r=8,p=1$AAAA$AAAA',
    '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA',
  ])('is not %j', async (text) => {
    await expect(isPassword(text, 'secret')).rejects.toThrow('not a hash');
  });
});
