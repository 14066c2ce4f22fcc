import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-step.ts';

/**
 * Lists the paths of the test files in a folder of the repository, without some file names. Projects of vitest ignore
 * its option `--exclude`.
 */
export function listTests(folder: string, { without }: { readonly without: readonly string[] }): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.ts') && !without.includes(name))
    .map((name) => join(folder, name));
}
