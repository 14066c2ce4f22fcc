import { mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followFiles } from './follow-files.ts';

let folder: string;
let lines: string[];
let now = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-follow-'));
  lines = [];
  now = 0;
});
afterEach(() => rm(folder, { recursive: true }));

function follow(names: readonly string[] = ['a'], recheckMs = 0) {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const load = (contents: readonly Buffer[]) => {
    const text = contents.join('+');
    if (text.includes('bad')) throw new Error(`${text} cannot be used`);
    return text;
  };
  return followFiles({ files: names.map((name) => join(folder, name)), load, log, recheckMs, now: () => now });
}

const write = (name: string, text: string) => writeFile(join(folder, name), text);

describe('followFiles', () => {
  it('loads the current contents of all files together', async () => {
    await write('a', 'one');
    await write('b', 'two');
    const latest = await follow(['a', 'b']);
    expect(await latest()).toBe('one+two');
    await write('b', 'three');
    expect(await latest()).toBe('one+three');
  });

  it('does not check the files again before the interval is over', async () => {
    await write('a', 'one');
    const latest = await follow(['a'], 1_000);
    await write('a', 'other');
    now = 999;
    expect(await latest()).toBe('one');
    now = 1_000;
    expect(await latest()).toBe('other');
  });

  it('notices a symbolic link to another file, as when a mounted secret changes', async () => {
    await write('v1', 'one');
    await write('v2', 'two');
    await symlink('v1', join(folder, 'a'));
    const latest = await follow();
    await unlink(join(folder, 'a'));
    await symlink('v2', join(folder, 'a'));
    expect(await latest()).toBe('two');
  });

  it('keeps the last good value if the files are unusable, logs it once, and recovers', async () => {
    await write('a', 'one');
    const latest = await follow();
    await write('a', 'bad');
    expect([await latest(), await latest(), await latest()]).toEqual(['one', 'one', 'one']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('bad cannot be used');
    await unlink(join(folder, 'a'));
    expect(await latest()).toBe('one');
    expect(lines).toHaveLength(2);
    await write('a', 'good again');
    expect(await latest()).toBe('good again');
  });

  it('rejects if the files are unusable at the start', async () => {
    await expect(follow()).rejects.toThrow('ENOENT');
    await write('a', 'bad');
    await expect(follow()).rejects.toThrow('bad cannot be used');
  });
});
