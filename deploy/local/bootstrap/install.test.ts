import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { install } from './install.js';

let root: string;
let runs: string[];

/** A fake npm: takes some time, and recreates the folder. */
const npm = async (_command: string, args: readonly string[], cwd: string) => {
  runs.push(args.filter((arg) => !arg.endsWith('npm-cli.js')).join(' '));
  await rm(join(cwd, 'node_modules'), { recursive: true, force: true });
  await mkdir(join(cwd, 'node_modules'));
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'install-'));
  runs = [];
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await mkdir(join(root, 'part'));
  await writeFile(join(root, 'package.json'), JSON.stringify({ workspaces: ['part'] }));
  await writeFile(join(root, 'package-lock.json'), '{}');
  await writeFile(join(root, 'part', 'package.json'), '{}');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true });
});

describe('install', () => {
  it('installs from the lock file, without scripts, if there is no node_modules', async () => {
    await install(root, npm);
    expect(runs).toEqual([expect.stringMatching(/^ci --ignore-scripts/)]);
  });

  it('does nothing if node_modules was made from the same files', async () => {
    await install(root, npm);
    await install(root, npm);
    expect(runs).toHaveLength(1);
  });

  it.each(['package-lock.json', 'package.json', 'part/package.json'])(
    'installs again when %s changed',
    async (file) => {
      await install(root, npm);
      await writeFile(join(root, file), JSON.stringify({ workspaces: ['part'], changed: true }));
      await install(root, npm);
      expect(runs).toHaveLength(2);
    },
  );

  it('installs once when several runs start together', async () => {
    await Promise.all([install(root, npm), install(root, npm), install(root, npm)]);
    expect(runs).toHaveLength(1);
  });

  it('installs again after a failed install, and releases the lock', async () => {
    await install(root, npm);
    await writeFile(join(root, 'package-lock.json'), '{"a":1}');
    await expect(install(root, () => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    await writeFile(join(root, 'package-lock.json'), '{}');
    await install(root, npm);
    expect(runs).toHaveLength(2);
  });

  it('writes nothing to standard output, and leaves no lock', async () => {
    const log = vi.spyOn(console, 'log');
    await install(root, npm);
    expect(log).not.toHaveBeenCalled();
    expect(existsSync(join(root, '.cache', 'install.lock'))).toBe(false);
  });
});
