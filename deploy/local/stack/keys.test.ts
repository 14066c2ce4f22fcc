import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIENCE, ISSUER, issueToken } from './issuer.ts';
import { ensureKeys } from './keys.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
});

afterEach(() => rm(folder, { recursive: true }));

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

describe('ensureKeys', () => {
  it('creates files that only this user can read', async () => {
    await ensureKeys(folder);
    for (const file of await readdir(folder)) {
      expect((await stat(join(folder, file))).mode & 0o777, file).toBe(0o600);
    }
  });

  it('keeps existing keys', async () => {
    const files = await ensureKeys(folder);
    const read = () =>
      Promise.all([files.internalJwks, files.encryptionKeyring, files.issuerJwks, files.metricsToken].map(readJson));
    const before = await read();
    await ensureKeys(folder);
    expect(await read()).toEqual(before);
  });

  it('publishes the public key of each caller with the services that it may call', async () => {
    const { internalJwks, issuerJwks, internalKeyOf } = await ensureKeys(folder);
    const { keys } = await readJson(internalJwks);
    const { kid, x } = await readJson(internalKeyOf('import'));
    expect(keys).toContainEqual(
      expect.objectContaining({ kid, x, caller: 'import', may_call: ['survey', 'response'] }),
    );
    const ofOperator = keys.find(({ caller }: { caller: string }) => caller === 'operator');
    expect(ofOperator.may_call).toEqual(['identity', 'survey', 'response', 'webhook', 'import']);
    for (const key of [...keys, ...(await readJson(issuerJwks)).keys]) expect(key).not.toHaveProperty('d');
  });

  it('makes an encryption key of 32 bytes', async () => {
    const { active, keys } = await readJson((await ensureKeys(folder)).encryptionKeyring);
    expect(Buffer.from(keys[active], 'base64')).toHaveLength(32);
  });
});

describe('issueToken', () => {
  it('signs a token like a tenant’s identity provider', async () => {
    const { issuerJwks } = await ensureKeys(folder);
    const token = await issueToken(folder, { tenantId: 't1', userId: 'u1', expiresInSeconds: 60 });
    const { payload } = await jwtVerify(token, createLocalJWKSet(await readJson(issuerJwks)), {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: ['ES256'],
      typ: 'JWT',
    });
    expect(payload).toMatchObject({ tenant_id: 't1', sub: 'u1', jti: expect.any(String) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
  });

  it('says what to do if no stack was ever started here', async () => {
    const issue = issueToken(folder, { tenantId: 't1', userId: 'u1', expiresInSeconds: 60 });
    await expect(issue).rejects.toThrow('run "npm start" once to create it');
  });
});
