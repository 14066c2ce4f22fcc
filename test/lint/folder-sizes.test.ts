import { glob } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const MAX_FILES = 15;
/** Folders with more files than allowed, with their number. It must not grow. */
const LARGER: Readonly<Record<string, number>> = {
  'deploy/local/process': 17,
  'lib/openapi/src': 17,
  'lib/questionnaire/src': 22,
  'lib/questionnaire/src/answers': 33,
  'lib/runtime/src/testing': 43,
  'services/response/src/testing': 20,
  'test/cluster': 21,
  'test/support': 17,
};
const FORBIDDEN = ['shared', 'common', 'misc', 'utils', 'helpers', 'handlers', 'mappers'];

const SOURCES = '{lib,services,gateway,web,tools,deploy,proto,test}/**/*.{ts,tsx,js,mjs}';
const isLeftOut = (path: string) =>
  /(?:^|\/)(?:node_modules|dist|fixtures|generated|gen|vendor)(?:\/|$)|\.test\.tsx?$|\.d\.ts$/.test(path);

/** The folders of source files, with the number of their files apart from tests, fixtures and generated code. */
async function countFiles(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const path of glob(SOURCES, { cwd: root, exclude: isLeftOut }))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return counts;
}

it('folders have at most 15 source files', async () => {
  const counts = await countFiles();
  expect(counts.size).toBeGreaterThan(100);
  const larger = [...counts].filter(([folder, count]) => count > (LARGER[folder] ?? MAX_FILES));
  expect(larger).toEqual([]);
  // An entry that is no longer needed goes.
  expect(Object.keys(LARGER).filter((folder) => (counts.get(folder) ?? 0) <= MAX_FILES)).toEqual([]);
});

it('no folder has a name that says nothing of its content', async () => {
  const names = [...(await countFiles()).keys()].map((folder) => basename(folder));
  expect(names.filter((name) => FORBIDDEN.includes(name))).toEqual([]);
});
