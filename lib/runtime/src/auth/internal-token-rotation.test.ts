import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader, type JWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FollowedSecret } from '../config/follow-files.ts';
import { fixedSecret } from '../testing/fixed-secret.ts';
import { createTestKeys, type TestKeys } from '../testing/test-keys.ts';
import { testLog } from '../testing/test-log.ts';
import { createRotatingMinter, createTokenVerifier } from './internal-token.ts';
import { createKeySet } from './key-set.ts';

let keys: TestKeys;
let folder: string;
let file: string;

beforeEach(async () => {
  keys = await createTestKeys();
  folder = await mkdtemp(join(tmpdir(), 'survey-minter-'));
  file = join(folder, 'internal.json');
});
afterEach(async () => {
  await keys.close();
  await rm(folder, { recursive: true });
});

async function replace(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, typeof value === 'string' ? value : JSON.stringify(value));
  await rename(`${path}.new`, path);
}

function makeKey(kid: string): { readonly privateKey: JWK; readonly entry: object } {
  const pair = generateKeyPairSync('ed25519');
  const entry = { ...pair.publicKey.export({ format: 'jwk' }), kid, caller: 'gateway', may_call: ['survey'] };
  return { privateKey: { ...pair.privateKey.export({ format: 'jwk' }), kid }, entry };
}

const secretOf = (value: JWK): FollowedSecret<JWK> => ({ value, file, parse: (raw) => JSON.parse(raw) });
const keyIdOf = (token: string) => decodeProtectedHeader(token).kid;

describe('a caller whose key is rotated', () => {
  it('mints with the new key without a restart, and services accept both', async () => {
    const privateKey = keys.privateKeyOf('gateway');
    await replace(file, privateKey);
    const minter = await createRotatingMinter({
      service: 'gateway',
      secret: secretOf(privateKey),
      log: testLog,
      recheckMs: 0,
    });
    const keySet = await createKeySet({ file: keys.jwksFile, log: testLog, recheckMs: 0 });
    const verifier = createTokenVerifier({ service: 'survey', keySet });
    const old = await minter.mint('survey', { tenantId: 't' });

    const next = makeKey('gateway-2');
    const known = JSON.parse(await readFile(keys.jwksFile, 'utf8')).keys;
    await replace(keys.jwksFile, { keys: [...known, next.entry] });
    await replace(file, next.privateKey);
    const fresh = await minter.mint('survey', { tenantId: 't' });
    expect([old, fresh].map(keyIdOf)).toEqual(['gateway-1', 'gateway-2']);
    for (const token of [old, fresh]) {
      await expect(verifier.verify(token)).resolves.toMatchObject({ service: 'gateway', tenantId: 't' });
    }
  });

  it.each([
    ['half written', '{"kty":'],
    ['no key', {}],
    ['a key without an id', { ...makeKey('x').privateKey, kid: undefined }],
    ['a public key', makeKey('x').entry],
    ['a key of another kind', { ...generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }), kid: 'x' }],
  ])('keeps the old key if the new file is %s', async (_, content) => {
    const privateKey = keys.privateKeyOf('gateway');
    await replace(file, privateKey);
    const secret = secretOf(privateKey);
    const minter = await createRotatingMinter({ service: 'gateway', secret, log: testLog, recheckMs: 0 });
    await replace(file, content);
    expect(keyIdOf(await minter.mint('survey', {}))).toBe('gateway-1');
    await replace(file, makeKey('gateway-3').privateKey);
    expect(keyIdOf(await minter.mint('survey', {}))).toBe('gateway-3');
  });

  it('does not start with a key that cannot sign', async () => {
    const create = (key: JWK) => createRotatingMinter({ service: 'gateway', secret: fixedSecret(key), log: testLog });
    await expect(create({ ...keys.privateKeyOf('gateway'), kid: '' })).rejects.toThrow('no kid');
    await expect(create(makeKey('x').entry as JWK)).rejects.toThrow('not a private key');
  });
});
