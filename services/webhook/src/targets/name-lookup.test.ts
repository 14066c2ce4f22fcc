import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestDns } from '@survey/runtime/testing/network/test-dns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNameLookup, shareLookups } from './target.ts';

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
  it('without a reply delay no others', async () => {
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

describe('lookups of a name', () => {
  it('are shared while concurrent, but not with other names', async () => {
    const asked: string[] = [];
    const look = shareLookups(async (name) => {
      asked.push(name);
      return [`${name} has an address`];
    });
    const found = await Promise.all(['a.test', 'a.test', 'b.test'].map(look));
    expect(found).toEqual([['a.test has an address'], ['a.test has an address'], ['b.test has an address']]);
    expect(asked).toEqual(['a.test', 'b.test']);
  });

  it('are repeated after a failure', async () => {
    let isUp = false;
    const look = shareLookups(async () => {
      if (!isUp) throw new Error('no reply');
      return ['192.0.2.1'];
    });
    await expect(look('a.test')).rejects.toThrow('no reply');
    isUp = true;
    expect(await look('a.test')).toEqual(['192.0.2.1']);
  });
});
