import { createHmac, createPublicKey } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer, encodePart } from '../testing/test-issuer.ts';
import { startServer, type TestServer } from '../testing/test-server.ts';
import { createTestVerifier, TEST_NOW, trust } from '../testing/test-verifier.ts';

// Known attacks on JWT libraries. Each is rejected for the right reason.

const SECONDS = TEST_NOW / 1000;
const now = () => TEST_NOW;
const issuer = createTestIssuer('key-1', 'ES256', now);
const rsa = createTestIssuer('key-2', 'RS256', now);
const attacker = createTestIssuer('key-1', 'ES256', now);
const encryptionOnly = createTestIssuer('key-3', 'ES256', now);
const signingOnly = createTestIssuer('key-4', 'ES256', now);
const twins = [createTestIssuer('twin', 'ES256', now), createTestIssuer('twin', 'ES256', now)] as const;
const verify = createTestVerifier([
  trust([
    issuer.publicJwk,
    rsa.publicJwk,
    { ...encryptionOnly.publicJwk, use: 'enc' },
    { ...signingOnly.publicJwk, key_ops: ['sign'] },
    ...twins.map(({ publicJwk }) => publicJwk),
  ]),
]);

const header = { alg: 'ES256', kid: 'key-1', typ: 'JWT' };
const good = { tenant_id: 'tenant-1', sub: 'user-1', iat: SECONDS, exp: SECONDS + 300 };
const signRaw = issuer.signRaw;
const withHeader = (change: object) => issuer.signRaw({ ...header, ...change }, good);
const unsigned = (alg: unknown) => `${encodePart({ ...header, alg })}.${encodePart(good)}.`;

async function withSignature(change: (signature: string) => string): Promise<string> {
  const [head, payload, signature = ''] = (await issuer.sign()).split('.');
  return [head, payload, change(signature)].join('.');
}

/** A token signed with an HMAC whose key is public. */
function hmacToken(secret: string | Buffer, kid = 'key-1'): string {
  const input = `${encodePart({ alg: 'HS256', typ: 'JWT', kid })}.${encodePart(good)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}
const pemOf = (from: typeof issuer) => createPublicKey(from.privateKey).export({ type: 'spki', format: 'pem' });
const derOf = (from: typeof issuer) => createPublicKey(from.privateKey).export({ type: 'spki', format: 'der' });

let attackers: TestServer;
let fetched: unknown[] = [];
beforeAll(async () => {
  attackers = await startServer((request, response) => {
    fetched.push(request.url);
    response.end(JSON.stringify({ keys: [attacker.publicJwk] }));
  });
});
afterAll(() => attackers.close());

describe('an attack by the algorithm is rejected', () => {
  it.each<[string, () => string | Promise<string>, string]>([
    ['alg none without a signature', () => unsigned('none'), 'malformed'],
    ['alg none with a signature', () => `${unsigned('none')}AAAA`, 'algorithm'],
    ['alg None with a signature', () => `${unsigned('None')}AAAA`, 'algorithm'],
    ['alg NONE with a signature', () => `${unsigned('NONE')}AAAA`, 'algorithm'],
    ['alg nOnE with a signature', () => `${unsigned('nOnE')}AAAA`, 'algorithm'],
    ['a good token whose signature is taken away', () => withSignature(() => ''), 'malformed'],
    ['alg in lower case', () => withHeader({ alg: 'es256' }), 'algorithm'],
    ['alg with a space', () => withHeader({ alg: 'ES256 ' }), 'algorithm'],
    ['alg with NUL', () => withHeader({ alg: 'ES256\0' }), 'algorithm'],
    ['alg as an array', () => withHeader({ alg: ['ES256'] }), 'algorithm'],
    ['alg as an object', () => withHeader({ alg: { name: 'ES256' } }), 'algorithm'],
    ['alg as a number', () => withHeader({ alg: 256 }), 'algorithm'],
    ['alg null', () => withHeader({ alg: null }), 'algorithm'],
    ['alg empty', () => withHeader({ alg: '' }), 'algorithm'],
    ['alg absent', () => withHeader({ alg: undefined }), 'algorithm'],
    ['HS256 keyed with the public EC key as PEM', () => hmacToken(pemOf(issuer)), 'algorithm'],
    ['HS256 keyed with the public EC key as DER', () => hmacToken(derOf(issuer)), 'algorithm'],
    ['HS256 keyed with the public RSA key as PEM', () => hmacToken(pemOf(rsa), 'key-2'), 'algorithm'],
    ['HS256 keyed with the public JWK', () => hmacToken(JSON.stringify(issuer.publicJwk)), 'algorithm'],
    ['HS256 keyed with nothing', () => hmacToken(''), 'algorithm'],
    ['another algorithm of the family that is not allowed', () => withHeader({ alg: 'ES384' }), 'algorithm'],
    ['an allowed algorithm that is not that of the key', () => withHeader({ kid: 'key-2' }), 'unknown_key'],
    ['RS256 with the id of an EC key', () => rsa.sign({}, { kid: 'key-1' }), 'unknown_key'],
  ])('%s', async (_case, make, rejection) => {
    await expect(verify(await make())).rejects.toMatchObject({ rejection });
  });
});

describe('an attack by the key is rejected', () => {
  it.each<[string, () => string | Promise<string>, string]>([
    ['kid absent', () => withHeader({ kid: undefined }), 'key_id'],
    ['kid empty', () => withHeader({ kid: '' }), 'key_id'],
    ['kid as a number', () => withHeader({ kid: 1 }), 'key_id'],
    ['kid as an object', () => withHeader({ kid: { key: 1 } }), 'key_id'],
    ['kid as an array', () => withHeader({ kid: ['key-1'] }), 'key_id'],
    ['kid that walks the disk', () => withHeader({ kid: '../../dev/null' }), 'key_id'],
    ['kid that is SQL', () => withHeader({ kid: "x' UNION SELECT 'key" }), 'key_id'],
    ['kid that is a command', () => withHeader({ kid: 'key|/usr/bin/id' }), 'key_id'],
    ['kid that is an address', () => withHeader({ kid: 'https://attacker.invalid/key' }), 'key_id'],
    ['kid with a line break', () => withHeader({ kid: 'key-1\n' }), 'key_id'],
    ['kid that is very long', () => withHeader({ kid: 'k'.repeat(129) }), 'key_id'],
    ['kid that nobody has', () => withHeader({ kid: 'key-9' }), 'unknown_key'],
    ['kid of another case', () => withHeader({ kid: 'KEY-1' }), 'unknown_key'],
    ['kid __proto__', () => withHeader({ kid: '__proto__' }), 'unknown_key'],
    ['kid constructor', () => withHeader({ kid: 'constructor' }), 'unknown_key'],
    ['kid that two keys have, by the first', () => twins[0].sign(), 'unknown_key'],
    ['kid that two keys have, by the second', () => twins[1].sign(), 'unknown_key'],
    ['a key whose use is encryption', () => encryptionOnly.sign(), 'unknown_key'],
    ['a key whose key_ops have no verify', () => signingOnly.sign(), 'unknown_key'],
    ['the signature of somebody else under a known kid', () => attacker.sign(), 'signature'],
    ['a key inside (CVE-2018-0114)', () => attacker.sign({}, { jwk: attacker.publicJwk }), 'header'],
    ['a key inside that is the right one', () => issuer.sign({}, { jwk: issuer.publicJwk }), 'header'],
    ['a certificate inside', () => withHeader({ x5c: ['AAAA'] }), 'header'],
  ])('%s', async (_case, make, rejection) => {
    await expect(verify(await make())).rejects.toMatchObject({ rejection });
  });

  it.each(['jku', 'x5u'])('%s with a URL, which is not fetched', async (member) => {
    const token = await attacker.sign({}, { [member]: `${attackers.url}/keys` });
    await expect(verify(token)).rejects.toMatchObject({ rejection: 'header' });
    expect(fetched).toEqual([]);
  });

  it('iss with the URL of other keys, which is not fetched', async () => {
    fetched = [];
    const named = createTestVerifier([trust([issuer.publicJwk], { name: 'https://issuer.example' })]);
    await expect(named(await attacker.sign({ iss: attackers.url }))).rejects.toMatchObject({ rejection: 'issuer' });
    expect(fetched).toEqual([]);
  });
});

describe('an attack by the form is rejected', () => {
  const jwe = (protectedHeader: object) => [encodePart(protectedHeader), 'AAAA', 'AAAA', 'AAAA', 'AAAA'].join('.');
  const duplicateTenant = `{"tenant_id":"a","tenant_id":"b","sub":"c","exp":${SECONDS + 60}}`;

  it.each<[string, () => string | Promise<string>, string]>([
    ['crit with an unknown member', () => withHeader({ crit: ['x'], x: 1 }), 'header'],
    ['crit with a known member', () => withHeader({ crit: ['exp'] }), 'header'],
    ['b64 false', () => withHeader({ b64: false }), 'header'],
    ['b64 false and crit', () => withHeader({ b64: false, crit: ['b64'] }), 'header'],
    ['zip', () => withHeader({ zip: 'DEF' }), 'header'],
    ['a token inside', async () => signRaw({ ...header, cty: 'JWT' }, await issuer.sign()), 'header'],
    ['a token inside that is not announced', async () => signRaw(header, await issuer.sign()), 'malformed'],
    ['the type of another kind of token', () => withHeader({ typ: 'logout+jwt' }), 'type'],
    ['the type of another kind of token in full', () => withHeader({ typ: 'application/secevent+jwt' }), 'type'],
    ['typ empty', () => withHeader({ typ: '' }), 'type'],
    ['typ as an array', () => withHeader({ typ: ['JWT'] }), 'type'],
    ['a duplicate alg', () => signRaw('{"alg":"none","alg":"ES256","kid":"key-1"}', good), 'duplicate_member'],
    ['a duplicate alg with an escape', () => signRaw('{"alg":"ES256","\\u0061lg":"ES256"}', good), 'duplicate_member'],
    ['a duplicate tenant', () => signRaw(header, duplicateTenant), 'duplicate_member'],
    ['a duplicate deep inside', () => signRaw(header, '{"a":{"b":1,"b":2}}'), 'duplicate_member'],
    ['__proto__ as a claim', () => signRaw(header, '{"__proto__":{"tenant_id":"a","sub":"b"}}'), 'malformed'],
    ['an encrypted token', () => encrypted(), 'malformed'],
    [
      'an encrypted token that costs to open (PBES2, p2c)',
      () => jwe({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2s: 'AAAA', p2c: 2_147_483_647 }),
      'malformed',
    ],
    ['JSON serialisation', async () => toJsonSerialisation(await issuer.sign()), 'malformed'],
    ['two parts', async () => (await issuer.sign()).split('.').slice(0, 2).join('.'), 'malformed'],
    ['four parts', async () => `${await issuer.sign()}.AAAA`, 'malformed'],
    ['an empty header', async () => (await issuer.sign()).replace(/^[^.]+/, ''), 'malformed'],
    ['a header that is no object', () => signRaw('"alg"', good), 'malformed'],
    ['a payload that is no object', () => signRaw(header, '[]'), 'malformed'],
    ['a payload that is null', () => signRaw(header, 'null'), 'malformed'],
    ['a payload with a mark of byte order', () => signRaw(header, `\ufeff${JSON.stringify(good)}`), 'malformed'],
    ['a payload that is no UTF-8', () => `${encodePart(header)}.__79.AAAA`, 'malformed'],
    ['padding', () => withSignature((signature) => `${signature}==`), 'malformed'],
    ['a space', () => withSignature((signature) => `${signature.slice(0, 9)} ${signature.slice(9)}`), 'malformed'],
    ['a line break', () => withSignature((signature) => `${signature}\n`), 'malformed'],
    ['the alphabet of plain base64', () => withSignature((signature) => `+/${signature.slice(2)}`), 'malformed'],
    ['spare bits that are set', () => withSignature(setSpareBits), 'malformed'],
    ['another payload under the signature', () => withOtherPayload({ tenant_id: 'other' }), 'signature'],
    ['an old end under the signature', () => withOtherPayload({ exp: SECONDS - 300 }), 'signature'],
    ['another header under the signature', () => withOtherHeader({ typ: 'at+jwt' }), 'signature'],
    ['2 MB', () => issuer.sign({ blob: 'x'.repeat(2_000_000) }), 'too_long'],
    ['nothing', () => '', 'malformed'],
    ['what is no token', () => 'sk_live_abcdef', 'malformed'],
  ])('%s', async (_case, make, rejection) => {
    await expect(verify(await make())).rejects.toMatchObject({ rejection });
  });
});

const withOtherPayload = async (change: object) =>
  (await issuer.sign()).replace(/\.[^.]+\./, `.${encodePart({ ...good, ...change })}.`);
const withOtherHeader = async (change: object) =>
  (await issuer.sign()).replace(/^[^.]+/, encodePart({ ...header, ...change }));

function toJsonSerialisation(token: string): string {
  const [protectedHeader, payload, signature] = token.split('.');
  return JSON.stringify({ protected: protectedHeader, payload, signature });
}

function encrypted(): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(good)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32));
}

/** The last base64url character of 64 bytes has four spare bits. */
function setSpareBits(signature: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  return signature.slice(0, -1) + alphabet.charAt(last | 1);
}
