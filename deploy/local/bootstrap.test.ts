import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseNode, install } from './bootstrap.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bootstrap-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true });
});

describe('install', () => {
  const packages = {
    '': { name: 'root' },
    'node_modules/one': { version: '1.0.0', integrity: 'sha512-1' },
    'node_modules/part': { resolved: 'part', link: true },
    'node_modules/other-platform': { version: '1.0.0', integrity: 'sha512-2', optional: true },
    part: { name: 'part', version: '1.0.0' },
  };
  let runs: string[];

  const writeLock = (all: object) =>
    writeFile(join(root, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: all }));

  /** A fake npm: recreates the folder, and at the end writes what it has installed. */
  const npm = async (_command: string, args: readonly string[], cwd: string) => {
    runs.push(args.filter((arg) => !arg.endsWith('npm-cli.js')).join(' '));
    await rm(join(cwd, 'node_modules'), { recursive: true, force: true });
    await mkdir(join(cwd, 'node_modules'));
    const { packages: wanted } = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8'));
    const { '': _root, 'node_modules/other-platform': _other, ...installed } = wanted;
    await writeFile(join(cwd, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  };

  beforeEach(async () => {
    runs = [];
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await writeLock(packages);
  });

  it('installs from the lock file, without scripts, if there is no node_modules', async () => {
    await install(root, npm);
    expect(runs).toEqual([expect.stringMatching(/^ci --ignore-scripts/)]);
  });

  it('does nothing if the packages of the lock file are installed', async () => {
    await npm('npm', ['ci'], root);
    await install(root, npm);
    expect(runs).toEqual(['ci']);
  });

  it.each([
    ['another version', { ...packages, 'node_modules/one': { version: '1.0.1', integrity: 'sha512-1' } }],
    ['another hash', { ...packages, 'node_modules/one': { version: '1.0.0', integrity: 'sha512-3' } }],
    ['a new package', { ...packages, 'node_modules/two': { version: '1.0.0', integrity: 'sha512-4' } }],
    ['a new workspace', { ...packages, 'node_modules/more': { resolved: 'more', link: true } }],
  ])('installs again for %s in the lock file', async (_case, changed) => {
    await install(root, npm);
    await writeLock(changed);
    await install(root, npm);
    expect(runs).toHaveLength(2);
  });

  it('installs once when several runs start together', async () => {
    await Promise.all([install(root, npm), install(root, npm), install(root, npm)]);
    expect(runs).toHaveLength(1);
  });

  it('installs again after a failed install, and releases the lock', async () => {
    const failing = async (_command: string, _args: readonly string[], cwd: string) => {
      await mkdir(join(cwd, 'node_modules'));
      throw new Error('offline');
    };
    await expect(install(root, failing)).rejects.toThrow('offline');
    await install(root, npm);
    expect(runs).toHaveLength(1);
  });

  it('writes nothing to standard output, and leaves no lock', async () => {
    const log = vi.spyOn(console, 'log');
    await install(root, npm);
    expect(log).not.toHaveBeenCalled();
    expect(existsSync(join(root, '.cache', 'install.lock'))).toBe(false);
  });
});

describe('chooseNode', () => {
  it.each(['24.12.0', '24.13.1', '25.0.0'])('keeps the running Node when it is %s', (version) => {
    expect(chooseNode(root, version)).toBe(process.execPath);
  });

  it.each(['20.0.0', '22.22.0', '24.11.9'])('takes the installed Node when the running one is %s', async (version) => {
    await mkdir(join(root, 'node_modules/.bin'), { recursive: true });
    await writeFile(join(root, 'node_modules/.bin/node'), '');
    expect(chooseNode(root, version)).toBe(join(root, 'node_modules/.bin/node'));
  });

  it('says what to install if there is no package for the platform', () => {
    expect(() => chooseNode(root, '20.19.0')).toThrow(/this is 20\.19\.0.*Install Node 24/);
  });
});

describe('runInForeground', () => {
  /** Records signals, and takes longer than a few checks of the parent to end. */
  const PROGRAM = `
    const write = (line) => require('node:fs').appendFileSync(process.argv[1], line + '\\n');
    process.on('SIGTERM', () => {
      write('SIGTERM');
      setTimeout(() => { write('end'); process.exit(); }, 1_000);
    });
    setInterval(() => {}, 1_000);
    write('start');
  `;
  const RUNNER = `
    import(process.argv[1]).then(({ runInForeground }) =>
      runInForeground(process.execPath, ['-e', process.argv[2], process.argv[3]], { cwd: '.', env: process.env }));
  `;
  const NPM = `
    require('node:child_process').spawn(process.execPath, ['-e', ...process.argv.slice(1)], { stdio: 'inherit' });
    setInterval(() => {}, 1_000);
  `;

  it('stops the program once when npm is killed', async () => {
    const file = join(root, 'written');
    const module = new URL('bootstrap.js', import.meta.url).href;
    const npm = spawn(process.execPath, ['-e', NPM, RUNNER, module, PROGRAM, file], {
      stdio: 'ignore',
      env: { ...process.env, npm_lifecycle_event: 'start' },
    });
    const written = () => readFile(file, 'utf8').catch(() => '');
    await poll(async () => (await written()) === 'start\n');
    npm.kill('SIGKILL');
    await poll(async () => (await written()).endsWith('end\n'));
    expect(await written()).toBe('start\nSIGTERM\nend\n');
  });
});
