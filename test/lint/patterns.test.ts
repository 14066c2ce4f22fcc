import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { check } from 'recheck';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Code that reads files and answers. */
const SOURCES = '{lib/formats,lib/questionnaire,services/import}/src/**/*.ts';
const isProduct = (path: string) => !/\.test\.ts$|\/testing\//.test(path);
/** Limits of a check by size, not by time, so that a busy machine gets the same result. */
const LIMITS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // Of larger automata, the check tries texts. Their exact check takes up to half a minute.
  maxNFASize: 500,
  maxIteration: 5,
  attackLimit: 10_000_000,
} as const;

/** Patterns that take more than linear time for a long text, and why they get no long text. */
const BOUNDED: Readonly<Record<string, string>> = {
  'lib/formats/src/answer-table/plan-questions.ts: ^\\W+|\\W+$': 'an id has at most MAX_ID characters',
};

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** The literal patterns of a module that repeat something: others take constant time at each position. */
function patternsOf(path: string, code: string): readonly Pattern[] {
  const found: Pattern[] = [];
  JSON.stringify(parseSync(path, code).program, (_, node: unknown) => {
    if (typeof node === 'object' && node !== null && 'regex' in node) {
      const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string };
      if (/[*+{]/.test(pattern)) found.push({ source: pattern, flags });
    }
    return node;
  });
  return found;
}

/** Whether there are texts for which a pattern takes more than linear time. Throws if the check has no result. */
async function isSlow({ source, flags }: Pattern): Promise<boolean> {
  const result = await check(source, flags, LIMITS);
  if (result.status === 'unknown') throw new Error(`${source}: ${result.error.kind}`);
  return result.status === 'vulnerable';
}

describe('patterns', () => {
  it('are found in code, and their time is known', async () => {
    const code = String.raw`const [a, b] = [/^\s+$/, /x/]; text.replace(/(a+)\s*$/g, '/');`;
    const [linear, slow, ...others] = patternsOf('a.ts', code);
    expect([linear?.source, slow?.source, others]).toEqual([String.raw`^\s+$`, String.raw`(a+)\s*$`, []]);
    expect(linear && (await isSlow(linear))).toBe(false);
    expect(slow && (await isSlow(slow))).toBe(true);
  });

  it('of a check without a result are an error', async () => {
    await expect(isSlow({ source: '(', flags: '' })).rejects.toThrow('invalid');
  });

  it('take linear time, or get only short texts', { timeout: 300_000 }, async () => {
    const slow: string[] = [];
    for (const path of globSync(SOURCES, { cwd: root }).filter(isProduct)) {
      for (const pattern of patternsOf(path, await readFile(join(root, path), 'utf8'))) {
        if (await isSlow(pattern)) slow.push(`${path}: ${pattern.source}`);
      }
    }
    expect(slow).toEqual(Object.keys(BOUNDED));
  });
});
