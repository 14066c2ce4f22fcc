import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run-step.ts';

/** Reads the commands of a page: each line of its `sh` blocks, without comments. Path relative to the repository. */
export async function readShellLines(page: string): Promise<readonly string[]> {
  const text = await readFile(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)\n *```$/gms)];
  return blocks
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/(?:^| {2,})#.*/, '').trim())
    .filter((line) => line !== '');
}
