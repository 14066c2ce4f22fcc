import { createHmac, sign as signBytes } from 'node:crypto';
import { CompactEncrypt, createLocalJWKSet, exportSPKI, importJWK, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { TokenError } from './token-error.ts';
import { createTokenVerifier } from './token-verifier.ts';

const START = Date.UTC(2026, 0, 1);
const SECONDS = START / 1000;
const DAY = 86_400;

const issuer = createTestIssuer('key-1', 'ES256', () => START);
const rsa = createTestIssuer('key-2', 'RS256', () => START);
const attacker = createTestIssuer('key-1', 'ES256', () => START);
const encryptionOnly = createTestIssuer('key-3', 'ES256', () => START);
const twins = [createTestIssuer('twin', 'ES256', () => START), createTestIssuer('twin', 'ES256', () => START)] as const;
const jwks: JWK[] = [
  issuer.publicJwk,
  rsa.publicJwk,
  { ...encryptionOnly.publicJwk, use: 'enc' },
  ...twins.map(({ publicJwk }) => publicJwk),
];

function setUp({
  keys = jwks,
  now = () => START,
  ...options
}: {
  keys?: JWK[];
  now?: () => number;
  issuer?: string;
  audience?: string;
} = {}) {
  let lookups = 0;
  const local = createLocalJWKSet({ keys });
  const verifier = createTokenVerifier({
    keys: {
      find: (header, token) => {
        lookups += 1;
        return local(header, token);
      },
      ready: () => Promise.resolve(),
    },
    algorithms: ['ES256', 'RS256', 'EdDSA'],
    maxLifetimeSeconds: 30 * DAY,
    now,
    ...options,
  });
  return { verify: (token: string) => verifier.verify([`Bearer ${token}`]), verifier, lookups: () => lookups };
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const good = { tenant_id: 'tenant-1', sub: 'user-1', iat: SECONDS, exp: SECONDS + 300 };

/** A token of any bytes, signed with the issuer's own key. */
function signRaw(header: unknown, payload: unknown): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const signature = signBytes('sha256', Buffer.from(input), { key: issuer.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

const header = { alg: 'ES256', kid: 'key-1', typ: 'JWT' };
const unsigned = (alg: unknown) => `${encode({ ...header, alg })}.${encode(good)}.`;
const replaceSignature = async (change: (signature: string) => string) => {
  const parts = (await issuer.sign()).split('.');
  return [parts[0], parts[1], change(parts[2] ?? '')].join('.');
};
const pem = async () => exportSPKI((await importJWK(issuer.publicJwk, 'ES256', { extractable: true })) as never);
const hmacToken = (secret: string) => {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(good)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

describe('a token that is good', () => {
  it.each([
    ['as it should be', () => issuer.sign()],
    ['by another allowed algorithm', () => rsa.sign()],
    ['without typ', () => issuer.sign({}, { typ: undefined })],
    ['with the type of access tokens', () => issuer.sign({}, { typ: 'at+jwt' })],
    ['without iat', () => issuer.sign({ iat: undefined })],
    ['issued by a clock that is a little ahead', () => issuer.sign({ iat: SECONDS + 20, nbf: SECONDS + 20 })],
  ])('%s tells who calls', async (_case, make) => {
    expect(await setUp().verify(await make())).toEqual({ tenantId: 'tenant-1', subject: 'user-1' });
  });

  it('is taken with the scheme in lower case', async () => {
    const token = await issuer.sign();
    expect(await setUp().verifier.verify([`bearer ${token}`])).toMatchObject({ subject: 'user-1' });
  });
});

describe('a token that is attacked', () => {
  it.each<[string, () => string | Promise<string>, string]>([
    ['without a signature', async () => replaceSignature(() => ''), 'malformed'],
    ['alg none', () => unsigned('none'), 'malformed'],
    ['alg None with a signature', () => `${unsigned('None')}AAAA`, 'algorithm'],
    ['alg NONE with a signature', () => `${unsigned('NONE')}AAAA`, 'algorithm'],
    ['alg nOnE with a signature', () => `${unsigned('nOnE')}AAAA`, 'algorithm'],
    ['alg in lower case', () => signRaw({ ...header, alg: 'es256' }, good), 'algorithm'],
    ['alg with a space', () => signRaw({ ...header, alg: 'ES256 ' }, good), 'algorithm'],
    ['alg with NUL', () => signRaw({ ...header, alg: 'ES256\0' }, good), 'algorithm'],
    ['alg as an array', () => signRaw({ ...header, alg: ['ES256'] }, good), 'algorithm'],
    ['alg null', () => signRaw({ ...header, alg: null }, good), 'algorithm'],
    ['alg absent', () => signRaw({ kid: 'key-1' }, good), 'algorithm'],
    ['HS256 keyed with the public PEM', async () => hmacToken(await pem()), 'algorithm'],
    ['HS256 keyed with the public JWK', () => hmacToken(JSON.stringify(issuer.publicJwk)), 'algorithm'],
    [
      'an algorithm of the family that is not allowed',
      () =>
        issuer.sign({}, { alg: 'ES256' }).then((token) => token.replace(/^[^.]+/, encode({ ...header, alg: 'ES384' }))),
      'algorithm',
    ],
    ['another algorithm than the key has', () => signRaw({ ...header, kid: 'key-2' }, good), 'unknown_key'],
    ['kid absent', () => signRaw({ alg: 'ES256' }, good), 'key_id'],
    ['kid as an object', () => signRaw({ ...header, kid: { key: 1 } }, good), 'key_id'],
    ['kid that walks the disk', () => signRaw({ ...header, kid: '../../dev/null' }, good), 'key_id'],
    ['kid that is SQL', () => signRaw({ ...header, kid: "x' UNION SELECT 'key" }, good), 'key_id'],
    ['kid that is very long', () => signRaw({ ...header, kid: 'k'.repeat(129) }, good), 'key_id'],
    ['kid that nobody has', () => signRaw({ ...header, kid: 'key-9' }, good), 'unknown_key'],
    ['kid that two keys have', () => twins[0].sign(), 'unknown_key'],
    ['a key that is for encryption', () => encryptionOnly.sign(), 'unknown_key'],
    ['jku', () => signRaw({ ...header, jku: 'https://attacker.invalid/jwks' }, good), 'header'],
    ['x5u', () => signRaw({ ...header, x5u: 'https://attacker.invalid/cert' }, good), 'header'],
    ['x5c', () => signRaw({ ...header, x5c: ['AAAA'] }, good), 'header'],
    ['its own key inside (CVE-2018-0114)', () => attacker.sign({}, { jwk: attacker.publicJwk }), 'header'],
    ['crit', () => signRaw({ ...header, crit: ['exp'] }, good), 'header'],
    ['b64', () => signRaw({ ...header, b64: false }, good), 'header'],
    ['zip', () => signRaw({ ...header, zip: 'DEF' }, good), 'header'],
    ['a token inside', () => signRaw({ ...header, cty: 'JWT' }, good), 'header'],
    ['the type of another kind of token', () => issuer.sign({}, { typ: 'logout+jwt' }), 'type'],
    ['typ as an array', () => signRaw({ ...header, typ: ['JWT'] }, good), 'type'],
    [
      'a duplicate member of the header',
      () => signRaw('{"alg":"none","alg":"ES256","kid":"key-1"}', good),
      'duplicate_member',
    ],
    [
      'a duplicate tenant',
      () => signRaw(header, `{"tenant_id":"a","tenant_id":"b","sub":"c","exp":${SECONDS + 60}}`),
      'duplicate_member',
    ],
    ['an encrypted token', () => encrypted(), 'malformed'],
    [
      'JSON serialisation',
      async () => {
        const [protectedHeader, payload, signature] = (await issuer.sign()).split('.');
        return JSON.stringify({ protected: protectedHeader, payload, signature });
      },
      'malformed',
    ],
    [
      'a signature of zeros (CVE-2022-21449)',
      () => replaceSignature(() => Buffer.alloc(64).toString('base64url')),
      'signature',
    ],
    [
      'a signature cut short',
      () => replaceSignature((signature) => Buffer.from(signature, 'base64url').subarray(0, 60).toString('base64url')),
      'signature',
    ],
    ['a signature that is longer', () => replaceSignature((signature) => `${signature}AAAA`), 'signature'],
    [
      'a signature with a space',
      () => replaceSignature((signature) => `${signature.slice(0, 9)} ${signature.slice(9)}`),
      'malformed',
    ],
    ['a signature with padding', () => replaceSignature((signature) => `${signature}==`), 'malformed'],
    ['spare bits that are set', () => replaceSignature(setSpareBits), 'malformed'],
    [
      'another payload',
      async () => (await issuer.sign()).replace(/\.[^.]+\./, `.${encode({ ...good, tenant_id: 'other' })}.`),
      'signature',
    ],
    ['the signature of somebody else', () => attacker.sign(), 'signature'],
    ['2 MB', () => issuer.sign({ blob: 'x'.repeat(2_000_000) }), 'too_long'],
    ['a payload that is no object', () => signRaw(header, '[]'), 'malformed'],
    [
      'a payload that is no UTF-8',
      () => `${encode(header)}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.AAAA`,
      'malformed',
    ],
    ['nothing', () => '', 'malformed'],
    ['an API key', () => 'sk_live_abcdef', 'malformed'],
  ])('is refused: %s', async (_case, make, rejection) => {
    await expect(setUp().verify(await make())).rejects.toMatchObject({ rejection });
  });

  it('is refused, well signed: exp 1e999', async () => {
    const token = signRaw(header, `{"tenant_id":"a","sub":"c","iat":${SECONDS},"exp":1e999}`);
    await expect(setUp().verify(token)).rejects.toBeInstanceOf(TokenError);
  });

  it.each<[string, unknown]>([
    ['absent', undefined],
    ['with a slash more', 'https://issuer.example/'],
    ['in capitals', 'HTTPS://ISSUER.EXAMPLE'],
    ['as an array', ['https://issuer.example']],
    ['__proto__', '__proto__'],
  ])('is refused when its issuer is %s', async (_case, iss) => {
    const { verify } = setUp({ issuer: 'https://issuer.example' });
    await expect(verify(await issuer.sign({ iss }))).rejects.toMatchObject({
      rejection: expect.stringMatching(/issuer|claims/),
    });
  });

  it.each<[string, unknown]>([
    ['absent', undefined],
    ['another', 'billing'],
    ['an array of others', ['billing', 'Surveys']],
    ['an object', { surveys: true }],
  ])('is refused when its audience is %s', async (_case, aud) => {
    const { verify } = setUp({ audience: 'surveys' });
    await expect(verify(await issuer.sign({ aud }))).rejects.toMatchObject({
      rejection: expect.stringMatching(/audience|claims/),
    });
  });

  it('is taken when issuer and audience are the ones demanded', async () => {
    const { verify } = setUp({ issuer: 'https://issuer.example', audience: 'surveys' });
    const token = await issuer.sign({ iss: 'https://issuer.example', aud: ['billing', 'surveys'] });
    expect(await verify(token)).toMatchObject({ tenantId: 'tenant-1' });
  });
});

describe('an Authorization header', () => {
  it.each<[string, (token: string) => string[] | undefined, string]>([
    ['absent', () => undefined, 'missing'],
    ['repeated', (token) => [`Bearer ${token}`, `Bearer ${token}`], 'repeated'],
    ['of another scheme', (token) => [`Basic ${token}`], 'malformed'],
    ['without a scheme', (token) => [token], 'malformed'],
    ['with two spaces', (token) => [`Bearer  ${token}`], 'malformed'],
    ['with two tokens', (token) => [`Bearer ${token}, Bearer ${token}`], 'malformed'],
  ])('is refused: %s', async (_case, make, rejection) => {
    const lines = make(await issuer.sign());
    await expect(setUp().verifier.verify(lines)).rejects.toMatchObject({ rejection });
  });
});

describe('a token that was verified', () => {
  it('is not verified again for a minute', async () => {
    let time = START;
    const { verify, lookups } = setUp({ now: () => time });
    const token = await issuer.sign();
    await verify(token);
    time += 59_000;
    await verify(token);
    expect(lookups()).toBe(1);
    time += 2_000;
    await verify(token);
    expect(lookups()).toBe(2);
  });

  it('is refused from the moment that it expires', async () => {
    let time = START;
    const { verify } = setUp({ now: () => time });
    const token = await issuer.sign({ exp: SECONDS + 10 });
    await verify(token);
    time += 9_999;
    await verify(token);
    time += 1;
    await expect(verify(token)).rejects.toMatchObject({ rejection: 'expired' });
  });
});

async function encrypted(): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(good)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32));
}

/** 64 bytes end in a character with four spare bits. */
function setSpareBits(signature: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  return signature.slice(0, -1) + alphabet.charAt(last | 1);
}
