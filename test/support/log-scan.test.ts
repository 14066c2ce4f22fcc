import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueToken } from '@survey/local/stack/issuer';
import { ensureKeys, loadIssuerKey, loadKey } from '@survey/local/stack/keys';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Forbidden, findLeaks, loadForbidden } from './log-scan.ts';
import { lunchAnswers, lunchSurvey } from './lunch-survey.ts';

let folder: string;
let keys: string;
let logs: string;
let forbidden: readonly Forbidden[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-scan-'));
  keys = join(folder, 'keys');
  logs = join(folder, 'logs');
  await mkdir(logs);
  await ensureKeys(keys);
  forbidden = await loadForbidden(keys);
});

afterEach(() => rm(folder, { recursive: true }));

/** The findings in a log whose second line contains this value. */
async function scan(member: unknown): Promise<readonly string[]> {
  await writeFile(join(logs, 'survey.log'), `{"msg":"listening"}\n${JSON.stringify({ msg: 'x', member })}\n`);
  const leaks = await findLeaks(logs, forbidden);
  for (const leak of leaks) expect(leak).toMatchObject({ file: 'survey.log', line: 2 });
  return leaks.map(({ name }) => name);
}

const token = () => issueToken(keys, { tenantId: 't1', userId: 'u1', expiresInSeconds: 60 });

describe('log scan', () => {
  it.each([
    ['a private key of a caller', async () => (await loadKey(join(keys, 'internal-gateway.json'))).d],
    ['the key of the issuer', async () => (await loadIssuerKey(keys)).d],
    ['a whole private key', () => loadIssuerKey(keys)],
    ['one as text in a text', async () => JSON.stringify(await loadIssuerKey(keys))],
    [
      'a key of the keyring',
      async () => JSON.parse(await readFile(join(keys, 'encryption-keyring.json'), 'utf8')).keys.k1,
    ],
    ['a PEM', () => '-----BEGIN PRIVATE KEY-----'],
    ['a token', token],
    ['the signed part of a token', async () => (await token()).split('.').slice(0, 2).join('.')],
    ['a header with a token', async () => ({ headers: { authorization: `Bearer ${await token()}` } })],
    ['a header with something else', () => ({ headers: { authorization: 'Bearer x' } })],
    ['a password', () => 'authorization: Basic dTpw'],
    ['a secret of a webhook', () => `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
    ['an API key', () => `svk_${Buffer.alloc(32, 7).toString('base64url')}`],
    ['answers', () => lunchAnswers],
    ['a body', () => JSON.stringify({ status: 'completed', data: lunchAnswers })],
    ['a definition', () => lunchSurvey],
    ['a body as bytes', () => Buffer.from('{"a":1}')],
  ])('finds %s', async (_, leak) => {
    expect(await scan(await leak())).not.toEqual([]);
  });

  it('finds nothing in ordinary log lines', async () => {
    const line = {
      request_id: '0197c1de-6c6a-7bd2-9c0e-0d2f63b4d7d7',
      tenant_id: 't1',
      err: {
        type: 'TokenError',
        message: 'the Authorization header is no bearer token',
        stack: 'Error\n    at x.ts:1',
      },
    };
    expect(await scan(line)).toEqual([]);
  });

  it('fails without logs', async () => {
    await expect(findLeaks(logs, forbidden)).rejects.toThrow('has no logs');
    await writeFile(join(logs, 'survey.log'), '');
    await expect(findLeaks(logs, forbidden)).rejects.toThrow('survey.log is empty');
    await expect(loadForbidden(logs)).rejects.toThrow();
  });
});
