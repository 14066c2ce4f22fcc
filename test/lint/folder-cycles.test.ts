import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Relative imports and re-exports, including types. */
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g;

/** The top folders of `src` with the folders that they import. */
async function importedFolders(src: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const imported = new Map<string, Set<string>>();
  for (const file of await readdir(join(root, src), { recursive: true })) {
    const folder = file.split('/')[0] ?? '';
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file === folder || folder === 'testing') continue;
    const others = imported.get(folder) ?? new Set();
    imported.set(folder, others);
    for (const [, path = ''] of (await readFile(join(root, src, file), 'utf8')).matchAll(IMPORT)) {
      const other = join(dirname(file), path).split('/')[0] ?? '';
      if (other !== folder && other !== '..') others.add(other);
    }
  }
  return imported;
}

/** Repeatedly removes folders that import none of the others. The rest is in a cycle, or imports one. */
function findCyclic(imported: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Set(imported.keys());
  for (let before = Infinity; left.size < before; ) {
    before = left.size;
    for (const folder of left) if (left.isDisjointFrom(imported.get(folder) ?? new Set())) left.delete(folder);
  }
  return [...left];
}

it('finds folders in a cycle, and those that import them', () => {
  const imported = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [] };
  const sets = Object.entries(imported).map(([folder, others]) => [folder, new Set(others)] as const);
  expect(findCyclic(new Map(sets))).toEqual(['a', 'b', 'c']);
});

it('finds no folder that is only imported', () => {
  const imported = { files: ['responses'], responses: ['files', 'links'], links: [] };
  const sets = Object.entries(imported).map(([folder, others]) => [folder, new Set<string>(others)] as const);
  expect(findCyclic(new Map(sets))).toEqual(['files', 'responses']);
});

it.each([
  ['gateway/src', 5],
  ['lib/formats/src', 10],
  ['lib/runtime/src', 5],
  ['services/import/src', 4],
  ['services/identity/src', 3],
  ['services/response/src', 3],
  ['services/survey/src', 3],
  ['services/webhook/src', 6],
])('no folders of %s import each other', async (src, fewest) => {
  const imported = await importedFolders(src);
  expect(imported.size).toBeGreaterThan(fewest);
  expect(findCyclic(imported)).toEqual([]);
});
