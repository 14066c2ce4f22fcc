import { glob, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** Imports and re-exports of files and packages, including types. */
function importsOf(source: string): readonly string[] {
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => target);
}

/** The top folders of `src` with the folders that they import. */
async function importedFolders(src: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const imported = new Map<string, Set<string>>();
  for (const file of await readdir(join(root, src), { recursive: true })) {
    const folder = file.split('/')[0] ?? '';
    if (!/(?<!\.test)\.tsx?$/.test(file) || file === folder || folder === 'testing') continue;
    const others = imported.get(folder) ?? new Set();
    imported.set(folder, others);
    for (const path of importsOf(await readFile(join(root, src, file), 'utf8'))) {
      if (!path.startsWith('.')) continue;
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
  ['web/console/src', 10],
  ['web/respond/src', 2],
])('no folders of %s import each other', async (src, fewest) => {
  const imported = await importedFolders(src);
  expect(imported.size).toBeGreaterThan(fewest);
  expect(findCyclic(imported)).toEqual([]);
});

const PAGE = join(root, 'docs/architecture.md');
/** This script imports libraries that need the contract. As a part of `proto`, it would make a cycle. */
const GENERATOR = 'proto/generate.ts';
const isSkipped = (path: string) => /\/(?:node_modules|dist|gen|testing)(?:\/|$)|\.test\.tsx?$/.test(path);

interface Manifest {
  readonly name: string;
  readonly workspaces: readonly string[];
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
}

/** The folders of packages with those that they import. */
async function importedPackages(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { workspaces } = await readManifest('');
  const folders = [GENERATOR, ...workspaces];
  const folderOf = (path: string) => folders.find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? '';
  const names = new Map<string, string>();
  for (const folder of workspaces) names.set((await readManifest(folder)).name, folder);
  const imported = new Map(folders.map((folder) => [folder, new Set<string>()]));
  for await (const file of glob(`{${workspaces.join(',')}}/**/*.{ts,tsx}`, { cwd: root, exclude: isSkipped })) {
    for (const path of importsOf(await readFile(join(root, file), 'utf8'))) {
      const [scope, name] = path.split('/');
      const other = path.startsWith('.') ? folderOf(join(dirname(file), path)) : names.get(`${scope}/${name}`);
      if (other && other !== folderOf(file)) imported.get(folderOf(file))?.add(other);
    }
  }
  return imported;
}

/** Leaves out imports that follow from others: of a → b → c and a → c, the last one. */
function withoutImplied(imported: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  const reachedFrom = (folder: string): readonly string[] =>
    [...(imported.get(folder) ?? [])].flatMap((other) => [other, ...reachedFrom(other)]);
  return new Map(
    [...imported].map(([folder, others]) => {
      const implied = new Set([...others].flatMap(reachedFrom));
      return [folder, [...others].filter((other) => !implied.has(other)).sort()];
    }),
  );
}

/** A Mermaid graph, with one line for all folders that import the same. */
function drawGraph(imported: ReadonlyMap<string, readonly string[]>): string {
  const lines = Map.groupBy(
    [...imported].filter(([, others]) => others.length > 0),
    ([, others]) => others.join(' & '),
  );
  const arrows = [...lines].map(([others, entries]) => `${entries.map(([name]) => name).join(' & ')} --> ${others}`);
  return ['flowchart LR', ...arrows.sort()].join('\n  ').concat('\n');
}

it('leaves out imports that follow from others', () => {
  const imported = { a: ['b', 'c', 'd'], b: ['c'], c: ['d'], d: [], e: ['c'] };
  const sets = Object.entries(imported).map(([folder, others]) => [folder, new Set<string>(others)] as const);
  const reduced = withoutImplied(new Map(sets));
  expect(Object.fromEntries(reduced)).toEqual({ a: ['b'], b: ['c'], c: ['d'], d: [], e: ['c'] });
  expect(drawGraph(reduced)).toBe('flowchart LR\n  a --> b\n  b & e --> c\n  c --> d\n');
});

it('no packages import each other, and docs/architecture.md has their graph: update it with -u', async () => {
  const imported = await importedPackages();
  expect(findCyclic(imported)).toEqual([]);
  const page = await readFile(PAGE, 'utf8');
  const graph = /(?<=```mermaid\n).*?(?=```)/s;
  expect(page).toMatch(graph);
  await expect(page.replace(graph, drawGraph(withoutImplied(imported)))).toMatchFileSnapshot(PAGE);
});
