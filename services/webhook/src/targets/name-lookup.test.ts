import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNameLookup } from './name-lookup.ts';

let folder: string;
let hostsFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  hostsFile = join(folder, 'hosts');
  await writeFile(hostsFile, '# names\n127.0.0.1\tlocalhost  Machine # mine\n::1 localhost\n\n10.0.0.1\n');
});

afterAll(() => rm(folder, { recursive: true }));

describe('a name of the hosts file', () => {
  it.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['LOCALHOST.', ['127.0.0.1', '::1']],
    ['machine', ['127.0.0.1']],
  ])('%s has the addresses that stand there', async (name, addresses) => {
    expect(await createNameLookup(hostsFile)(name)).toEqual(addresses);
  });
});

describe('without a hosts file', () => {
  it('names that cannot exist have no address or fail, and never one that is made up', async () => {
    const found = createNameLookup(join(folder, 'none'))('nothing.invalid');
    expect(await found.catch(() => [])).toEqual([]);
  });
});
