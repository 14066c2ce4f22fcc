import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from './run-step.ts';

/** The sorted paths of all files that git tracks or would add. Undefined without a git checkout. */
export async function listSources(): Promise<readonly string[] | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { passed, output } = await runTool('git', args);
  return passed ? output.split('\0').filter(Boolean).toSorted() : undefined;
}

/** A hash of the names and contents of files. A deleted file counts by its name. */
export function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readIfPresent(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

function readIfPresent(path: string): Buffer | string {
  try {
    return readFileSync(path);
  } catch {
    return '';
  }
}
