import { readFile, rename, writeFile } from 'node:fs/promises';
import { importJWK, SignJWT, UnsecuredJWT } from 'jose';
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
  return createTokenVerifier({ service, keySet, now: () => now });
}

async function minter(service = 'gateway') {
  return createTokenMinter({ service, privateKey: keys.privateKeyOf(service), now: () => now });
}

interface Forgery {
  readonly signer?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly keyId?: string;
  readonly lifetime?: number;
  readonly claims?: Record<string, unknown>;
}

async function forge({
  signer = 'gateway',
  issuer = 'gateway',
  audience = 'survey',
  keyId,
  lifetime = 60,
  claims = {},
}: Forgery) {
  const key = keys.privateKeyOf(signer);
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ permissions: [], ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: keyId ?? key.kid ?? '' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(await importJWK(key, 'EdDSA'));
}

const refused = { reason: 'INVALID_TOKEN', message: 'Invalid token' };

describe('internal tokens', () => {
  it('tell caller, tenant, subject and permissions', async () => {
    const token = await (await minter()).mint('survey', { tenantId: 't', subject: 'u', permissions: ['surveys:read'] });
    expect(await (await verifier()).verify(token)).toEqual({
      service: 'gateway',
      tenantId: 't',
      subject: 'u',
      permissions: new Set(['surveys:read']),
    });
  });

  it('are reused for the same principal, version and audience, and renewed in time', async () => {
    const mint = await minter();
    const subject = { tenantId: 't', subject: 'u', permissions: ['a:b'], version: '1' };
    const first = await mint.mint('survey', subject);
    expect(await mint.mint('survey', subject)).toBe(first);
    expect(await mint.mint('response', subject)).not.toBe(first);
    expect(await mint.mint('survey', { ...subject, permissions: [], version: '2' })).not.toBe(first);
    now += 41_000;
    const renewed = await mint.mint('survey', subject);
    expect(renewed).not.toBe(first);
    await expect((await verifier()).verify(renewed)).resolves.toMatchObject({ tenantId: 't' });
  });

  it.each<[string, Forgery]>([
    ['for another audience', { audience: 'response' }],
    ['from an issuer that the key does not belong to', { issuer: 'import' }],
    ['signed by another key than named', { signer: 'import', keyId: 'gateway-1' }],
    ['with an unknown key', { keyId: 'gateway-2' }],
    ['that is expired', { lifetime: -10 }],
    ['that lives too long', { lifetime: 3600 }],
    ['with a tenant that is no string', { claims: { tenant_id: 5 } }],
  ])('are refused %s', async (_, forgery) => {
    await expect((await verifier()).verify(await forge(forgery))).rejects.toMatchObject(refused);
  });

  it('are refused unsigned, tampered with, or as garbage', async () => {
    const token = await forge({});
    const [header, , signature] = token.split('.');
    const payload = Buffer.from(JSON.stringify({ iss: 'gateway', aud: 'survey', tenant_id: 'other' })).toString(
      'base64url',
    );
    const unsecured = new UnsecuredJWT({}).setIssuer('gateway').setAudience('survey').encode();
    for (const bad of [`${header}.${payload}.${signature}`, unsecured, 'x', '', `${token}.${signature}`]) {
      await expect((await verifier()).verify(bad)).rejects.toMatchObject(refused);
    }
  });

  it('are refused from a caller that may not call the service', async () => {
    const token = await forge({ audience: 'billing' });
    await expect((await verifier('billing')).verify(token)).rejects.toMatchObject(refused);
  });

  it('follow the file of keys without a restart: a retired key is refused, and a broken file changes nothing', async () => {
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
      // A token of its own, since verified ones are remembered for some seconds.
      await expect(verify.verify(await forge({ claims: { n: 1 } }))).rejects.toMatchObject(refused);
      await replace('{"keys":');
      await expect(verify.verify(await forge({ signer: 'import', issuer: 'import' }))).resolves.toMatchObject({
        service: 'import',
      });
    } finally {
      await replace(content);
    }
  });
});
