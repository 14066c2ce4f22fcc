import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, createClient } from '@survey/client';
import { UsageError } from './command.ts';
import { replaceFile } from './replace-file.ts';

/** The address of the platform, and an API key for it. */
export interface Credentials {
  readonly url: string;
  readonly token: string;
}

function fileOf(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'survey', 'credentials.json');
}

/** Stores credentials in a file that only this user can read. Returns its path. */
export async function storeCredentials(env: NodeJS.ProcessEnv, credentials: Credentials): Promise<string> {
  const file = fileOf(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`, 0o600);
  return file;
}

export async function removeCredentials(env: NodeJS.ProcessEnv): Promise<void> {
  await rm(fileOf(env), { force: true });
}

/**
 * Reads the variables SURVEY_URL and SURVEY_TOKEN. Their defaults are the values that `survey login` stored. A stored
 * token is only used for the address that it was stored with.
 */
export async function readCredentials(env: NodeJS.ProcessEnv): Promise<Credentials> {
  const { SURVEY_URL: givenUrl, SURVEY_TOKEN: givenToken } = env;
  if (givenUrl && givenToken) return { url: givenUrl, token: givenToken };
  const stored = await readStored(fileOf(env));
  const url = givenUrl || stored.url;
  const token = givenToken || stored.token;
  if (!url || !token) throw new UsageError('not logged in: run "survey login --url URL"');
  if (!givenToken && url !== stored.url)
    throw new UsageError(`the stored API key is for ${stored.url}: set SURVEY_TOKEN as well as SURVEY_URL`);
  return { url, token };
}

/** Whether there is an API key, in the variables or stored. */
export async function isLoggedIn(env: NodeJS.ProcessEnv): Promise<boolean> {
  return Boolean(env['SURVEY_TOKEN'] || (await readStored(fileOf(env))).token);
}

export async function openClient(env: NodeJS.ProcessEnv): Promise<Client> {
  const { url, token } = await readCredentials(env);
  return createClient({ baseUrl: url, token });
}

async function readStored(file: string): Promise<Partial<Credentials>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
