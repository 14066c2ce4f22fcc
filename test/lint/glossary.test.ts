import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Words that identifiers must not use, whole or as a part of camelCase, and the terms to use instead. */
const RETIRED: Readonly<Record<string, string>> = {
  'allowance, allowances': 'rate limit',
  'applicant, applicants': 'pending response',
  'bury, entomb': 'publish and remove; replace with a tombstone',
  everybodys: 'public',
  gathered: 'batched',
  homeless: 'unconverted',
  lanes: 'queues',
  leaps: 'jumps',
  'nobody, who, whose': 'name the subject',
  patience: 'timeout, retry policy',
  persist: 'retry',
  'place, placed, places': 'slot, location, scope, additional authenticated data',
  remembered: 'cached, memoized',
  resting: 'cached',
  'room, rooms': 'capacity',
  'standing, standings': 'receiver health',
  surplus: 'overload',
  'tell, tells, told': 'report, describe, reply',
  'turn, turns': 'attempt, lease, mutex',
  waiter: 'wakeable timer',
};
/** Names of stored fields, which stay. */
const STORED = [
  'services/import/src/imports/import-document.ts: place, say slot, location, scope, additional authenticated data',
];
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

describe('the code', () => {
  it('finds words in identifiers, not in comments and texts', () => {
    expect([...wordsOf("const takeNextTurn = 'a place'; // room")]).toEqual(['const', 'take', 'next', 'turn']);
  });

  it('has no identifier with a retired word', async () => {
    const found: string[] = [];
    for await (const path of glob(SOURCES, { cwd: root, exclude: isGenerated })) {
      const words = wordsOf(await readFile(join(root, path), 'utf8'));
      for (const [retired, terms] of Object.entries(RETIRED)) {
        const used = retired.split(', ').filter((word) => words.has(word));
        found.push(...used.map((word) => `${path}: ${word}, say ${terms}`));
      }
    }
    expect(found).toEqual(STORED);
  });
});
