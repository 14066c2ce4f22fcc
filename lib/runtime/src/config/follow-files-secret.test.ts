import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { followSecret, reloadable } from './follow-files.ts';
import { json } from './kinds.ts';
import { readConfig } from './settings.ts';

const settings = { key: reloadable(json<{ n: number }>({ env: 'KEY', secret: true, help: 'A key.' })) };
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-secret-'));
  file = join(folder, 'key');
});
afterEach(() => rm(folder, { recursive: true }));

async function follow(env: Record<string, string>) {
  const { key } = readConfig(settings, env);
  return followSecret({ secret: key, toResult: ({ n }) => n + 1, log: testLog, recheckMs: 0 });
}

describe('a followed secret', () => {
  it('changes with its file', async () => {
    await writeFile(file, '{"n":1}\n');
    const latest = await follow({ KEY_FILE: file });
    expect(await latest()).toBe(2);
    await writeFile(file, '{"n":10}\n');
    expect(await latest()).toBe(11);
    await writeFile(file, 'no JSON');
    expect(await latest()).toBe(11);
  });

  it('does not change if it comes from the environment', async () => {
    const latest = await follow({ KEY: '{"n":1}', KEY_FILE: file });
    expect(await latest()).toBe(2);
  });

  it('is reported with all other problems if it cannot be read', () => {
    expect(() => readConfig(settings, { KEY_FILE: file })).toThrow(`KEY cannot be read from ${file}`);
    expect(() => readConfig(settings, { KEY: 'topsecret' })).toThrow(/^(?!.*topsecret).*KEY must be a JSON object/s);
  });
});
