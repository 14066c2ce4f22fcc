import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Hashes passwords with scrypt (RFC 7914). A call takes about 0.1 s of a core and 32 MiB. Run the calls in a
 * `createFairMutex`: one at a time, round robin by client.
 */
export interface PasswordHasher {
  /** Returns `$scrypt$ln=15,r=8,p=1$<salt>$<hash>` (the PHC string format), in base64 without padding. */
  hashPassword(password: string): Promise<string>;
  /** Whether the hash is of this password. Throws an `Error` if it was not made by `hashPassword`. */
  isPassword(hash: string, password: string): Promise<boolean>;
}

interface Cost {
  /** Binary logarithm of scrypt's N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

const COST: Cost = { ln: 15, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export function createPasswordHasher(): PasswordHasher {
  return {
    async hashPassword(password) {
      const salt = randomBytes(SALT_BYTES);
      const { ln, r, p } = COST;
      const hash = await deriveKey(password, salt, COST);
      return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`;
    },

    async isPassword(hash, password) {
      const { salt, expected, ...cost } = parse(hash);
      return timingSafeEqual(await deriveKey(password, salt, cost), expected);
    },
  };
}

function deriveKey(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  // The memory that OpenSSL needs; Node's default limit is slightly less than that.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function parse(hash: string): Cost & { readonly salt: Buffer; readonly expected: Buffer } {
  const [, ln, r, p, salt = '', expected = ''] = PHC.exec(hash) ?? [];
  const parsed = { ln: Number(ln), r: Number(r), p: Number(p), salt: fromBase64(salt), expected: fromBase64(expected) };
  if (parsed.expected.length !== HASH_BYTES) throw new Error('This is not a hash of a password');
  return parsed;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
