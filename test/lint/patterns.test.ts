import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { checkSync } from 'recheck';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Code that reads files and answers. */
const SOURCES = '{lib/formats,lib/questionnaire,services/import}/src/**/*.ts';
const isProduct = (path: string) => !/\.test\.ts$|\/testing\//.test(path);
/** A check that takes longer ends without a result. It finds most slow patterns within milliseconds. */
const MAX_CHECK_MS = 1_000;

/** Patterns that take more than linear time for a long text, and why they get no long text. */
const BOUNDED: Readonly<Record<string, string>> = {
  'lib/formats/src/answer-table/plan-questions.ts: ^\\W+|\\W+$': 'an id has at most MAX_ID characters',
  'lib/formats/src/tables/dates.ts: ^(.+?)(?:T|': 'a date has at most MAX_LENGTH characters',
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

/** Whether there are texts for which a pattern takes more than linear time. */
const isSlow = ({ source, flags }: Pattern) =>
  checkSync(source, flags, { timeout: MAX_CHECK_MS }).status === 'vulnerable';

describe('patterns', () => {
  it('are found in code, and their time is known', () => {
    const code = String.raw`const [a, b] = [/^\s+$/, /x/]; text.replace(/(a+)\s*$/g, '/');`;
    expect(patternsOf('a.ts', code).map((pattern) => [pattern.source, isSlow(pattern)])).toEqual([
      [String.raw`^\s+$`, false],
      [String.raw`(a+)\s*$`, true],
    ]);
  });

  it('take linear time, or get only short texts', { timeout: 300_000 }, async () => {
    const slow: string[] = [];
    for (const path of globSync(SOURCES, { cwd: root }).filter(isProduct)) {
      for (const pattern of patternsOf(path, await readFile(join(root, path), 'utf8'))) {
        if (isSlow(pattern)) slow.push(`${path}: ${pattern.source}`);
      }
    }
    const bounded = Object.keys(BOUNDED);
    expect(slow.filter((one) => !bounded.some((start) => one.startsWith(start)))).toEqual([]);
  });
});
