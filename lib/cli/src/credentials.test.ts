import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCredentials, storeCredentials } from './credentials.ts';

const stored = { url: 'https://survey.example', token: 'stored' };
let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
  env = { XDG_CONFIG_HOME: folder };
});
afterEach(() => rm(folder, { recursive: true }));

describe('credentials', () => {
  it('are the stored ones, or those of the variables', async () => {
    await storeCredentials(env, stored);
    expect(await readCredentials(env)).toEqual(stored);
    expect(await readCredentials({ ...env, SURVEY_URL: stored.url })).toEqual(stored);
    expect(await readCredentials({ ...env, SURVEY_TOKEN: 'own' })).toEqual({ url: stored.url, token: 'own' });
  });

  it('never send a stored API key to another address', async () => {
    await storeCredentials(env, stored);
    await expect(readCredentials({ ...env, SURVEY_URL: 'http://localhost:8080' })).rejects.toThrow('SURVEY_TOKEN');
  });

  it('need no file if both variables are set', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const variables = { SURVEY_URL: 'http://localhost:8080', SURVEY_TOKEN: 'own' };
    expect(await readCredentials({ XDG_CONFIG_HOME: file, ...variables })).toEqual({
      url: variables.SURVEY_URL,
      token: variables.SURVEY_TOKEN,
    });
    await expect(readCredentials({ XDG_CONFIG_HOME: file })).rejects.toThrow('cannot be read');
  });
});
