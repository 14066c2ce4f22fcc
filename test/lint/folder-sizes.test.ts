import { glob } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const MAX_FILES = 15;
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
  const larger = [...counts].filter(([, count]) => count > MAX_FILES);
  expect(larger).toEqual([]);
});

it('no folder has a name that says nothing of its content', async () => {
  const names = [...(await countFiles()).keys()].map((folder) => basename(folder));
  expect(names.filter((name) => FORBIDDEN.includes(name))).toEqual([]);
});
