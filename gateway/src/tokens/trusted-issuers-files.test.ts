import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testLog } from '@survey/runtime/testing/test-log';
import type { JWK } from 'jose';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { times, trust } from '../testing/test-verifier.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { createFileKeys, createKeyLoadMetrics } from './trusted-issuers.ts';

const old = createTestIssuer('old');
const next = createTestIssuer('next');

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-jwks-'));
  file = join(folder, 'jwks.json');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (...keys: JWK[]) => writeFile(file, JSON.stringify({ keys }));

async function setUp() {
  let time = 0;
  const loads = createKeyLoadMetrics(new Registry())('default');
  const keys = await createFileKeys({ file, algorithms: ['ES256'], loads, log: testLog, now: () => time });
  const verifier = createTokenVerifier({ issuers: [{ ...trust([old.publicJwk]), keys }], times });
  return {
    verify: async (issuer: typeof old, claims = {}) => verifier.verify([`Bearer ${await issuer.sign(claims)}`]),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const taken = { principal: { subject: 'user-1' } };

describe('keys from a file', () => {
  it('change with the file', async () => {
    await write(old.publicJwk);
    const { verify, pass } = await setUp();
    await verify(old);
    await write(next.publicJwk);
    pass(2_000);
    expect(await verify(next)).toMatchObject(taken);
    await expect(verify(old)).rejects.toMatchObject({ rejection: 'unknown_key' });
  });

  it('stay valid if the file is malformed or missing', async () => {
    await write(old.publicJwk);
    const { verify, pass } = await setUp();
    await writeFile(file, '{"keys":');
    pass(2_000);
    expect(await verify(old)).toMatchObject(taken);
    await rm(file);
    pass(2_000);
    expect(await verify(old, { jti: '1' })).toMatchObject(taken);
  });

  it('are rejected if the file has their private part, even if no other key is left', async () => {
    await write(old.publicJwk);
    const { verify, pass } = await setUp();
    await verify(old);
    await write({ ...old.privateKey.export({ format: 'jwk' }), kid: 'old' });
    pass(2_000);
    await expect(verify(old, { jti: '1' })).rejects.toMatchObject({ rejection: 'unknown_key' });
  });

  it.each<[string, () => Promise<void>]>([
    ['is not there', async () => undefined],
    ['is no JSON', () => writeFile(file, 'keys')],
    ['is no key set', () => writeFile(file, '{"keys":1}')],
    ['holds a private key', () => write(old.privateKey.export({ format: 'jwk' }))],
    ['holds a private key with an id', () => write({ ...old.privateKey.export({ format: 'jwk' }), kid: 'old' })],
    ['holds a secret', () => write({ kty: 'oct', k: 'c2VjcmV0', kid: 'old' })],
  ])('cannot be loaded first from a file that %s', async (_case, prepare) => {
    await prepare();
    await expect(setUp()).rejects.toThrow();
  });
});
