import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run-step.ts';

/** The lines of the fenced blocks of a language in Markdown. */
export function linesOfBlocks(markdown: string, language: string): readonly string[] {
  const blocks = markdown.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)\\n *\`\`\`$`, 'gms'));
  return [...blocks].flatMap(([, block = '']) => block.split('\n'));
}

/** Reads the commands of a page: each line of its `sh` blocks, without comments. Path relative to the repository. */
export async function readShellLines(page: string): Promise<readonly string[]> {
  return linesOfBlocks(await readFile(join(root, page), 'utf8'), 'sh')
    .map((line) => line.replace(/(?:^| {2,})#.*/, '').trim())
    .filter((line) => line !== '');
}
