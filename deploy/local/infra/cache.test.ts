import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { download, findCached } from './cache.ts';

let home: string;
let cache: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cache-'));
  cache = join(home, 'survey-platform');
  vi.stubEnv('XDG_CACHE_HOME', home);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

const log = () => {};

describe('download', () => {
  it('fills a folder of the cache, which is found later', async () => {
    const path = await download({ name: 'tool', fetch: (into) => writeFile(join(into, 'file'), 'x'), log });
    expect(path).toBe(join(cache, 'tool'));
    expect(await readFile(join(await findCached('tool'), 'file'), 'utf8')).toBe('x');
    expect(await readdir(cache)).toEqual(['tool']);
  });

  it('downloads once in concurrent calls', async () => {
    const fetch = vi.fn(async () => {});
    await Promise.all([1, 2, 3].map(() => download({ name: 'tool', fetch, log })));
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('leaves no partial copy after a failure, and can be repeated', async () => {
    const fetch = async (into: string) => {
      await writeFile(join(into, 'half'), '');
      throw new Error('offline');
    };
    await expect(download({ name: 'tool', fetch, log })).rejects.toThrow('offline');
    await expect(findCached('tool')).rejects.toThrow('none in');
    const path = await download({ name: 'tool', fetch: async () => {}, log });
    expect(await readdir(path)).toEqual([]);
  });

  it('removes the rest of a killed download', async () => {
    await mkdir(join(cache, 'tool.part-999'), { recursive: true });
    await download({ name: 'tool', fetch: async () => {}, log });
    expect(await readdir(cache)).toEqual(['tool']);
  });
});
