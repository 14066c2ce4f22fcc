import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** The used members of package-lock.json. */
interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

async function readLockFile(): Promise<LockFile> {
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
}

it('every package of the lock file has an integrity hash', async () => {
  const { packages } = await readLockFile();
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  expect(installed.length).toBeGreaterThan(400);
  // npm omits the hash for packages of other platforms; `npm view NAME@VERSION dist.integrity` prints it.
  const without = installed.flatMap(([path, { integrity }]) => (/^sha512-/.test(integrity ?? '') ? [] : [path]));
  expect(without).toEqual([]);
});

it('installation runs no scripts of packages', async () => {
  expect((await readFile(join(root, '.npmrc'), 'utf8')).split('\n')).toContain('ignore-scripts=true');
});

it('every optional package for Linux names its CPU, so that others do not install it', async () => {
  const { packages } = await readLockFile();
  const ofLinux = Object.entries(packages).filter(([, { optional, os }]) => optional && os?.includes('linux'));
  expect(ofLinux.length).toBeGreaterThan(20);
  expect(ofLinux.flatMap(([path, { cpu }]) => (cpu === undefined ? [path] : []))).toEqual([]);
});
