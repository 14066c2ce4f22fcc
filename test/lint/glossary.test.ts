import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Names of stored fields, which stay. */
const STORED = ['services/import/src/imports/import-document.ts: place'];
const SOURCES = '{lib,services,gateway,web,tools,deploy,proto,test}/**/*.{ts,tsx,js}';
const isGenerated = (path: string) => /node_modules|\/dist\/|\/gen\/|\/fixtures\/|\/vendor\/|\.test\.ts$/.test(path);

/** The words of identifiers in code, without comments and texts: `takeNextTurn` has `take`, `next` and `turn`. */
function wordsOf(source: string): Set<string> {
  const code = source.replace(
    /\/\*.*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gs,
    ' ',
  );
  return new Set([...code.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase()));
}

async function readRetired(): Promise<readonly string[]> {
  const glossary = await readFile(join(root, 'docs/glossary.md'), 'utf8');
  const [, section = ''] = glossary.split('## Retired names');
  const [, ...rows] = [...section.matchAll(/^\| ([^|]*) \|/gm)].map(([, words = '']) => words);
  return rows.flatMap((words) => words.split(', '));
}

describe('the glossary', () => {
  it('finds words in identifiers, not in comments and texts', () => {
    expect([...wordsOf("const takeNextTurn = 'a place'; // room")]).toEqual(['const', 'take', 'next', 'turn']);
  });

  it('has retired names, which no identifier uses', async () => {
    const retired = await readRetired();
    expect(retired.length).toBeGreaterThan(3);
    const found: string[] = [];
    for await (const path of glob(SOURCES, { cwd: root, exclude: isGenerated })) {
      const words = wordsOf(await readFile(join(root, path), 'utf8'));
      found.push(...retired.filter((word) => words.has(word)).map((word) => `${path}: ${word}`));
    }
    expect(found).toEqual(STORED);
  });
});
