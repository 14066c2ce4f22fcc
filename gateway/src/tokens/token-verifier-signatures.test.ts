import { createHash, generateKeyPairSync, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto';
import type { JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { encodePart } from '../testing/test-issuer.ts';
import { createTestVerifier, TEST_NOW, trust } from '../testing/test-verifier.ts';

// Almost valid signatures, and forms that faulty verifiers have accepted.

const SECONDS = TEST_NOW / 1000;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ed = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsa3 = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 });
const toJwk = ({ publicKey }: { publicKey: KeyObject }, kid: string): JWK => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
});
const verify = createTestVerifier([
  trust([toJwk(ec, 'ec'), toJwk(ed, 'ed'), toJwk(rsa, 'rsa'), toJwk(rsa3, 'rsa3'), toJwk(p384, 'p384')]),
]);

const claims = { tenant_id: 'tenant-1', sub: 'user-1', jti: 'j1', iat: SECONDS, exp: SECONDS + 300 };
const inputOf = (alg: string, kid: string) => `${encodePart({ alg, kid })}.${encodePart(claims)}`;
const proven = { principal: { tenantId: 'tenant-1', subject: 'user-1' }, tokenId: 'j1' };

/** Group orders of P-256 and Ed25519. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const toBigInt = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toBytes = (value: bigint, length: number) => Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
const reversed = (bytes: Uint8Array) => Buffer.from(bytes).reverse();
const zeros = (length: number) => Buffer.alloc(length);

interface Signed {
  readonly input: string;
  /** A valid signature. */
  readonly signature: Buffer;
}

function signWith(key: KeyObject, alg: string, kid: string, options: Partial<SignKeyObjectInput> = {}): Signed {
  const input = inputOf(alg, kid);
  const digest = alg === 'EdDSA' ? null : 'sha256';
  const signature = sign(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363', ...options });
  return { input, signature };
}
const token = ({ input }: Signed, signature: Buffer) => `${input}.${signature.toString('base64url')}`;

const es256 = signWith(ec.privateKey, 'ES256', 'ec');
const r = es256.signature.subarray(0, 32);
const s = es256.signature.subarray(32);
const concat = (...parts: readonly (Uint8Array | bigint)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'bigint' ? toBytes(part, 32) : part)));

describe('an ECDSA signature', () => {
  it('is accepted', async () => {
    expect(await verify(token(es256, es256.signature))).toMatchObject(proven);
  });

  it('is accepted in its other form (r, n - s), with the same token id: revocation still applies', async () => {
    const other = token(es256, concat(r, N - toBigInt(s)));
    expect(other).not.toBe(token(es256, es256.signature));
    expect(await verify(other)).toMatchObject(proven);
  });

  it.each<[string, () => Buffer]>([
    ['r and s zero (CVE-2022-21449)', () => zeros(64)],
    ['r zero', () => concat(0n, s)],
    ['s zero', () => concat(r, 0n)],
    ['r zero and s one', () => concat(0n, 1n)],
    ['r and s the order of the group', () => concat(N, N)],
    ['r the order', () => concat(N, s)],
    ['s the order', () => concat(r, N)],
    ['r and s one more than the order', () => concat(N + 1n, N + 1n)],
    ['r and s one', () => concat(1n, 1n)],
    ['all bits set', () => Buffer.alloc(64, 0xff)],
    ['r and s exchanged', () => concat(s, r)],
    ['r negated', () => concat(N - toBigInt(r), s)],
    ['one bit turned', () => Buffer.from(es256.signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte)))],
    ['DER, as certificates have it', () => signWith(ec.privateKey, 'ES256', 'ec', { dsaEncoding: 'der' }).signature],
    ['one byte less', () => es256.signature.subarray(0, 63)],
    ['one byte more', () => concat(es256.signature, zeros(1))],
    ['a zero byte before', () => concat(zeros(1), es256.signature)],
    ['a zero byte before each half', () => concat(zeros(1), r, zeros(1), s)],
    ['a half of it', () => r],
    ['twice', () => concat(es256.signature, es256.signature)],
    [
      'of another digest',
      () => sign('sha384', Buffer.from(es256.input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
    ],
    [
      'of the payload alone',
      () => sign('sha256', Buffer.from(encodePart(claims)), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
    ],
    [
      'of its digest',
      () =>
        sign('sha256', createHash('sha256').update(es256.input).digest(), {
          key: ec.privateKey,
          dsaEncoding: 'ieee-p1363',
        }),
    ],
    [
      'of another curve',
      () => sign('sha256', Buffer.from(es256.input), { key: p384.privateKey, dsaEncoding: 'ieee-p1363' }),
    ],
    ['of RSA', () => sign('sha256', Buffer.from(es256.input), rsa.privateKey)],
  ])('is rejected: %s', async (_case, make) => {
    await expect(verify(token(es256, make()))).rejects.toMatchObject({ rejection: 'signature' });
  });

  it('is rejected by a key of another curve', async () => {
    const signed = signWith(p384.privateKey, 'ES256', 'p384');
    await expect(verify(token(signed, signed.signature))).rejects.toMatchObject({ rejection: 'unknown_key' });
  });
});

const eddsa = signWith(ed.privateKey, 'EdDSA', 'ed');
const [bigR, scalar] = [eddsa.signature.subarray(0, 32), toBigInt(reversed(eddsa.signature.subarray(32)))];

describe('an Ed25519 signature', () => {
  it('is accepted', async () => {
    expect(await verify(token(eddsa, eddsa.signature))).toMatchObject(proven);
  });

  it.each<[string, () => Buffer]>([
    ['S with the order added', () => concat(bigR, reversed(toBytes(scalar + L, 32)))],
    ['S the order', () => concat(bigR, reversed(toBytes(L, 32)))],
    ['S zero', () => concat(bigR, zeros(32))],
    ['R zero', () => concat(zeros(32), eddsa.signature.subarray(32))],
    ['R the neutral point, S zero', () => concat(Buffer.from([1]), zeros(63))],
    ['zeros', () => zeros(64)],
    ['all bits set', () => Buffer.alloc(64, 0xff)],
    ['one byte less', () => eddsa.signature.subarray(0, 63)],
    ['one byte more', () => concat(eddsa.signature, zeros(1))],
    ['of the digest', () => sign(null, createHash('sha512').update(eddsa.input).digest(), ed.privateKey)],
    ['of another text', () => sign(null, Buffer.from(`${eddsa.input}A`), ed.privateKey)],
  ])('is rejected: %s', async (_case, make) => {
    await expect(verify(token(eddsa, make()))).rejects.toMatchObject({ rejection: 'signature' });
  });
});

const rs256 = signWith(rsa.privateKey, 'RS256', 'rsa');
const modulus = toBigInt(Buffer.from(toJwk(rsa, 'rsa').n ?? '', 'base64url'));
const PSS = { padding: 6, saltLength: 32 };

describe('an RSA signature', () => {
  it('is accepted', async () => {
    expect(await verify(token(rs256, rs256.signature))).toMatchObject(proven);
  });

  it.each<[string, () => Buffer]>([
    ['PSS where PKCS #1 is due', () => signWith(rsa.privateKey, 'RS256', 'rsa', PSS).signature],
    ['of SHA-1', () => sign('sha1', Buffer.from(rs256.input), rsa.privateKey)],
    ['of SHA-512', () => sign('sha512', Buffer.from(rs256.input), rsa.privateKey)],
    ['the modulus added', () => toBytes(toBigInt(rs256.signature) + modulus, 257)],
    ['the modulus', () => toBytes(modulus, 256)],
    ['the modulus less one', () => toBytes(modulus - 1n, 256)],
    ['zero', () => zeros(256)],
    ['one', () => toBytes(1n, 256)],
    ['one byte less', () => rs256.signature.subarray(0, 255)],
    ['one byte more', () => concat(rs256.signature, zeros(1))],
    ['a zero byte before', () => concat(zeros(1), rs256.signature)],
    ['one byte', () => zeros(1)],
    ['of another key', () => sign('sha256', Buffer.from(rs256.input), rsa3.privateKey)],
    ['of ECDSA', () => es256.signature],
  ])('is rejected: %s', async (_case, make) => {
    await expect(verify(token(rs256, make()))).rejects.toMatchObject({ rejection: 'signature' });
  });

  it('is rejected if it is a cube root of a value with a valid prefix (CVE-2006-4339)', async () => {
    const genuine = signWith(rsa3.privateKey, 'RS256', 'rsa3');
    expect(await verify(token(genuine, genuine.signature))).toMatchObject(proven);
    const forged = forgeByCubeRoot(genuine.input);
    const opened = toBytes(toBigInt(forged) ** 3n, 256);
    expect(opened.subarray(0, 62)).toEqual(paddedDigest(genuine.input));
    await expect(verify(token(genuine, forged))).rejects.toMatchObject({ rejection: 'signature' });
  });
});

/** A prefix of 62 bytes that verifiers accept if they ignore the end of the padding. */
function paddedDigest(input: string): Buffer {
  const prefix = Buffer.from('0001ffffffffffffffff003031300d060960864801650304020105000420', 'hex');
  return Buffer.concat([prefix, createHash('sha256').update(input).digest()]);
}

function forgeByCubeRoot(input: string): Buffer {
  const least = toBigInt(Buffer.concat([paddedDigest(input), zeros(256 - 62)]));
  return toBytes(cubeRootOf(least) + 1n, 256);
}

function cubeRootOf(value: bigint): bigint {
  let [low, high] = [0n, 1n << 700n];
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** 3n <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
