import { createHmac, createPrivateKey, sign as signBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { testLog } from '../testing/test-log.ts';
import { createTokenMinter, createTokenVerifier } from './internal-token.ts';
import { createKeySet } from './key-set.ts';

let keys: TestKeys;
let now = Date.now();

beforeAll(async () => {
  keys = await createTestKeys();
});
afterAll(() => keys.close());

async function verifier(service = 'survey') {
  const keySet = await createKeySet({ file: keys.jwksFile, log: testLog, recheckMs: 0, now: () => now });
  return createTokenVerifier({ service, keySet, clock: () => new Date(now) });
}

async function minter(service = 'gateway') {
  return createTokenMinter({ service, privateKey: keys.privateKeyOf(service), clock: () => new Date(now) });
}

interface Forgery {
  readonly signer?: string;
  readonly keyId?: string;
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

/** A signed token, valid except for the given changes. */
async function forge({ signer = 'gateway', keyId, header = {}, claims = {} }: Forgery): Promise<string> {
  const key = keys.privateKeyOf(signer);
  const iat = Math.floor(now / 1000);
  const payload = { iss: 'gateway', aud: 'survey', permissions: [], iat, exp: iat + 60, ...claims };
  const protectedHeader = { alg: 'EdDSA', typ: 'JWT', kid: keyId ?? key.kid ?? '', ...header };
  return sign(signer, JSON.stringify(protectedHeader), JSON.stringify(payload));
}

/** Signs arbitrary texts, even those that no library would produce. */
async function sign(signer: string, header: string, payload: string): Promise<string> {
  const input = [header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.');
  const key = createPrivateKey({ key: { ...keys.privateKeyOf(signer) }, format: 'jwk' });
  return `${input}.${signBytes(null, Buffer.from(input), key).toString('base64url')}`;
}

const rejected = { code: 'INVALID_TOKEN', message: 'Invalid token' };

describe('internal tokens', () => {
  it('identify caller, tenant, subject and permissions', async () => {
    const token = await (await minter()).mint('survey', {
      tenantId: 't',
      subject: 'u',
      permissions: ['surveys:read'],
      apiKeyId: 'k',
    });
    expect(await (await verifier()).verify(token)).toEqual({
      service: 'gateway',
      tenantId: 't',
      subject: 'u',
      permissions: new Set(['surveys:read']),
      apiKeyId: 'k',
    });
  });

  it('are reused for the same principal, version and audience, and renewed in time', async () => {
    const mint = await minter();
    const subject = { tenantId: 't', subject: 'u', permissions: ['a:b'], version: '1' };
    const first = await mint.mint('survey', subject);
    expect(await mint.mint('survey', subject)).toBe(first);
    expect(await mint.mint('response', subject)).not.toBe(first);
    // A user and a key of this user can have the same permissions.
    expect(await mint.mint('survey', { ...subject, apiKeyId: 'k' })).not.toBe(first);
    expect(await mint.mint('survey', { ...subject, permissions: [], version: '2' })).not.toBe(first);
    const begun = now;
    try {
      now += 41_000;
      const renewed = await mint.mint('survey', subject);
      expect(renewed).not.toBe(first);
      await expect((await verifier()).verify(renewed)).resolves.toMatchObject({ tenantId: 't' });
    } finally {
      now = begun;
    }
  });

  it('are not reused after the clock was set back, because services reject tokens from the future', async () => {
    const mint = await minter();
    const subject = { tenantId: 't', subject: 'u', permissions: ['a:b'] };
    const begun = now;
    try {
      now += 3_600_000;
      await mint.mint('survey', subject);
      now = begun;
      const token = await mint.mint('survey', subject);
      await expect((await verifier()).verify(token)).resolves.toMatchObject({ tenantId: 't' });
    } finally {
      now = begun;
    }
  });

  const at = (seconds: number) => Math.floor(now / 1000) + seconds;
  const during = (iat: number, exp: number): Forgery => ({ claims: { iat: at(iat), exp: at(exp) } });

  it.each<[string, Forgery]>([
    ['with nothing wrong', {}],
    ['whose time is as good as over', during(-62, -2)],
    ['made by a clock that is a little ahead', during(4, 64)],
  ])('are accepted %s', async (_, forgery) => {
    await expect((await verifier()).verify(await forge(forgery))).resolves.toMatchObject({ service: 'gateway' });
  });

  it.each<[string, Forgery]>([
    ['for another audience', { claims: { aud: 'response' } }],
    ['for several audiences', { claims: { aud: ['survey', 'response'] } }],
    ['for a list with this audience', { claims: { aud: ['survey'] } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['from an issuer that the key does not belong to', { claims: { iss: 'import' } }],
    ['without an issuer', { claims: { iss: undefined } }],
    ['signed by another key than named', { signer: 'import', keyId: 'gateway-1' }],
    ['signed by the right key under the name of another one', { keyId: 'import-1', claims: { iss: 'import' } }],
    ['with an unknown key', { keyId: 'gateway-2' }],
    ['with a key of the prototype', { keyId: '__proto__' }],
    ['without a key', { header: { kid: undefined } }],
    ['that brings its own key', { keyId: 'x', header: { jwk: { kty: 'OKP' } } }],
    ['of another type', { header: { typ: 'at+jwt' } }],
    ['that names another algorithm', { header: { alg: 'HS256' } }],
    ['that names no algorithm', { header: { alg: 'none' } }],
    ['that names an algorithm in other letters', { header: { alg: 'eddsa' } }],
    ['with an extension that must be understood', { header: { crit: ['x'], x: 1 } }],
    ['that is expired', during(-66, -6)],
    ['that is not yet in force', { claims: { nbf: at(10) } }],
    ['from the future', during(10, 70)],
    ['from a far future', during(31_536_000, 31_536_060)],
    ['that lives too long', during(0, 61)],
    ['that lives for a hundred years', during(0, 3_153_600_000)],
    ['that ends before it begins', during(10, 5)],
    ['without an end', { claims: { exp: undefined } }],
    ['without a beginning', { claims: { iat: undefined } }],
    ['with an end that is text', { claims: { exp: '9999999999' } }],
    ['with a beginning between two seconds', { claims: { iat: at(0) + 0.5 } }],
    ['with a tenant that is no string', { claims: { tenant_id: 5 } }],
    ['with an empty tenant', { claims: { tenant_id: '' } }],
    ['with a subject that is no string', { claims: { sub: { id: 1 } } }],
    ['without permissions', { claims: { permissions: undefined } }],
    ['with a key that is no text', { claims: { api_key_id: 1 } }],
    ['with permissions that are no list', { claims: { permissions: 'surveys:read' } }],
    ['with a permission that is no string', { claims: { permissions: ['surveys:read', 1] } }],
  ])('are rejected %s', async (_, forgery) => {
    await expect((await verifier()).verify(await forge(forgery))).rejects.toMatchObject(rejected);
  });

  it.each([
    ['tenant', `"tenant_id":"a","tenant_id":"b"`],
    ['tenant in other letters', `"tenant_id":"a","tenant\\u005fid":"b"`],
    ['audience', `"aud":"response","aud":"survey"`],
    ['end', `"exp":1,"exp":${9e9}`],
  ])('are rejected with two members for the %s', async (_, members) => {
    const header = JSON.stringify({ alg: 'EdDSA', typ: 'JWT', kid: 'gateway-1' });
    const rest = `"iss":"gateway","aud":"survey","permissions":[],"iat":${at(0)},"exp":${at(60)}`;
    const token = await sign('gateway', header, `{${members},${rest}}`);
    await expect((await verifier()).verify(token)).rejects.toMatchObject(rejected);
  });

  it('are rejected with two keys named', async () => {
    const payload = JSON.stringify({ iss: 'import', aud: 'survey', permissions: [], iat: at(0), exp: at(60) });
    const token = await sign('import', '{"alg":"EdDSA","typ":"JWT","kid":"gateway-1","kid":"import-1"}', payload);
    await expect((await verifier()).verify(token)).rejects.toMatchObject(rejected);
  });

  it('are rejected when they are signed with the public key as a secret', async () => {
    const { x } = keys.privateKeyOf('gateway');
    const claims = { iss: 'gateway', aud: 'survey', permissions: [], iat: at(0), exp: at(60) };
    const [header, payload] = [{ alg: 'HS256', typ: 'JWT', kid: 'gateway-1' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const input = `${header}.${payload}`;
    const mac = createHmac('sha256', Buffer.from(x ?? '', 'base64url'))
      .update(input)
      .digest('base64url');
    await expect((await verifier()).verify(`${input}.${mac}`)).rejects.toMatchObject(rejected);
  });

  it('are rejected unsigned, altered, or as garbage', async () => {
    const token = await forge({ claims: { n: 'altered' } });
    const [header, , signature] = token.split('.');
    const payload = Buffer.from(JSON.stringify({ iss: 'gateway', aud: 'survey', tenant_id: 'other' })).toString(
      'base64url',
    );
    const unsecured = new UnsecuredJWT({}).setIssuer('gateway').setAudience('survey').encode();
    for (const bad of [`${header}.${payload}.${signature}`, unsecured, 'x', '', '..', `${token}.${signature}`]) {
      await expect((await verifier()).verify(bad)).rejects.toMatchObject(rejected);
    }
  });

  it('are rejected from a caller that may not call the service', async () => {
    const token = await forge({ claims: { aud: 'billing' } });
    await expect((await verifier('billing')).verify(token)).rejects.toMatchObject(rejected);
  });

  it('follow changes of the key file: a retired key is rejected, and a broken file changes nothing', async () => {
    const verify = await verifier();
    const token = await forge({});
    await expect(verify.verify(token)).resolves.toMatchObject({ service: 'gateway' });
    const content = await readFile(keys.jwksFile, 'utf8');
    const others = JSON.parse(content).keys.filter(({ caller }: { caller: string }) => caller !== 'gateway');
    const replace = async (text: string) => {
      await writeFile(`${keys.jwksFile}.new`, text);
      await rename(`${keys.jwksFile}.new`, keys.jwksFile);
    };
    try {
      await replace(JSON.stringify({ keys: others }));
      // Verified tokens are cached, so each check needs a new token.
      await expect(verify.verify(await forge({ claims: { n: 1 } }))).rejects.toMatchObject(rejected);
      await replace('{"keys":');
      await expect(verify.verify(await forge({ signer: 'import', claims: { iss: 'import' } }))).resolves.toMatchObject({
        service: 'import',
      });
    } finally {
      await replace(content);
    }
  });
});
