import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTokenToRevoke } from './token-to-revoke.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'revoke-'));
});
afterAll(() => rm(folder, { recursive: true }));

const latestEnd = new Date('2026-03-01T00:00:00Z');

async function load(claims: object) {
  const file = join(folder, 'token');
  await writeFile(file, `${new UnsecuredJWT({ tenant_id: 't1', sub: 'u1', jti: 'j1', ...claims }).encode()}\n`);
  return loadTokenToRevoke(file, 't1', latestEnd);
}

describe('a token to revoke', () => {
  it('has a user, an id and an expiry', async () => {
    const expiresAt = new Date('2026-02-01T00:00:00Z');
    expect(await load({ exp: expiresAt.getTime() / 1000 })).toEqual({ userId: 'u1', tokenId: 'j1', expiresAt });
  });

  it('expires after the maximum lifetime by default', async () => {
    expect(await load({})).toMatchObject({ expiresAt: latestEnd });
  });
});
