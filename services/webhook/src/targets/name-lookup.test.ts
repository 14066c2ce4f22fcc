import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestDns } from '@survey/runtime/testing/test-dns';
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
  ])('%s has the listed addresses', async (name, addresses) => {
    expect(await createNameLookup({ hostsFile, servers: [] })(name)).toEqual(addresses);
  });
});

describe('without a hosts file', () => {
  it('names that cannot exist have no address, or the lookup fails', async () => {
    const found = createNameLookup({ hostsFile: join(folder, 'none'), servers: [] })('nothing.invalid');
    expect(await found.catch(() => [])).toEqual([]);
  });
});

describe('names', () => {
  it('that nobody answers for hold up no other', async () => {
    const dns = await startTestDns([]);
    dns.replyWith((name) => (name === 'mute.test' ? undefined : ['192.0.2.1']));
    const loadAddresses = createNameLookup({
      hostsFile: join(folder, 'none'),
      servers: [`127.0.0.1:${dns.port}`],
    });
    const ended: string[] = [];
    for (let n = 0; n < 100; n += 1) loadAddresses('mute.test').catch(({ code }: { code: string }) => ended.push(code));
    expect(await loadAddresses('other.test')).toEqual(['192.0.2.1']);
    expect(ended).toEqual([]);
    dns.close();
  });
});
