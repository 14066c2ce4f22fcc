import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run-step.ts';

/** The fenced blocks of a language in Markdown, as lines. */
function readBlocks(markdown: string, language: string): readonly (readonly string[])[] {
  const blocks = markdown.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)\\n *\`\`\`$`, 'gms'));
  return [...blocks].map(([, block = '']) => block.split('\n'));
}

/** The lines of the fenced blocks of a language in Markdown. */
export function linesOfBlocks(markdown: string, language: string): readonly string[] {
  return readBlocks(markdown, language).flat();
}

/** Reads the `sh` blocks below a heading of a page, as lines. Path relative to the repository. */
export async function readShellBlocks(page: string, heading: string): Promise<readonly (readonly string[])[]> {
  const markdown = await readFile(join(root, page), 'utf8');
  const [, level = '', rest = ''] = new RegExp(`^(#+) ${heading}$(.*)`, 'ms').exec(markdown) ?? [];
  const [section = ''] = rest.split(new RegExp(`^#{1,${level.length}} `, 'm'));
  const blocks = readBlocks(section, 'sh');
  if (blocks.length === 0) throw new Error(`${page} has no commands below the heading ${heading}`);
  return blocks;
}

/** Reads the commands of a page: each line of its `sh` blocks, without comments. Path relative to the repository. */
export async function readShellLines(page: string): Promise<readonly string[]> {
  return linesOfBlocks(await readFile(join(root, page), 'utf8'), 'sh')
    .map((line) => line.replace(/(?:^| {2,})#.*/, '').trim())
    .filter((line) => line !== '');
}
