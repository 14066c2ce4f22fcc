import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly link?: boolean; readonly integrity?: string }>>;
}

it('every package of the lock file has an integrity hash', async () => {
  const { packages }: LockFile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  expect(installed.length).toBeGreaterThan(400);
  // npm omits the hash for packages of other platforms; `npm view NAME@VERSION dist.integrity` prints it.
  const without = installed.flatMap(([path, { integrity }]) => (/^sha512-/.test(integrity ?? '') ? [] : [path]));
  expect(without).toEqual([]);
});
