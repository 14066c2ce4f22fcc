import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@survey/local/stack/folder';
import { entriesOf, toPublished, withoutUnusedDependencies } from './manifest.ts';
import type { PublishedPackage } from './published-packages.ts';

const run = promisify(execFile);

/** A package that is ready to be published. */
export interface BuiltPackage extends PublishedPackage {
  /** Folder of the built package. */
  readonly built: string;
  /** Path of the file that `npm publish` uploads. */
  readonly tarball: string;
}

/**
 * Builds a package and packs it. Throws on type errors.
 *
 * @param output folder for the package and its tarball
 * @param repositoryUrl for the published package.json
 */
export async function buildPackage(
  source: PublishedPackage,
  output: string,
  repositoryUrl?: string,
): Promise<BuiltPackage> {
  const { folder, manifest } = source;
  const sources = join(repositoryRoot, folder);
  const built = join(output, basename(folder));
  await rm(built, { recursive: true, force: true });
  await mkdir(join(built, 'dist'), { recursive: true });
  await compile(source, built);
  for (const path of entriesOf(manifest).filter((entry) => !isScript(entry)))
    await copyFile(join(sources, path), join(built, 'dist', basename(path)));
  for (const name of ['README.md', 'CHANGELOG.md']) await copyFile(join(sources, name), join(built, name));
  await copyFile(join(repositoryRoot, 'LICENSE'), join(built, 'LICENSE'));
  const repository = repositoryUrl === undefined ? undefined : { url: repositoryUrl, directory: folder };
  const published = toPublished(
    withoutUnusedDependencies(manifest, await findImports(join(built, 'dist'))),
    repository,
  );
  await writeFile(join(built, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', output], { cwd: built });
  const [{ filename }] = JSON.parse(stdout);
  return { ...source, built, tarball: join(output, filename) };
}

/**
 * Compiles the sources that the entries import to ES modules with declarations. They can use only features of Node 20.
 * Libraries cannot use Node's own modules, because they also run in browsers.
 */
async function compile({ folder, manifest }: PublishedPackage, built: string): Promise<void> {
  const sources = join(repositoryRoot, folder);
  const isProgram = manifest.bin !== undefined;
  const config = {
    extends: join(repositoryRoot, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: manifest.exports !== undefined,
      rewriteRelativeImportExtensions: true,
      target: 'es2022',
      lib: ['es2023', 'es2024.string', ...(isProgram ? [] : ['dom', 'dom.iterable', 'dom.asynciterable'])],
      types: isProgram ? ['node'] : [],
      typeRoots: [join(repositoryRoot, 'node_modules/@types')],
      rootDir: join(sources, 'src'),
      outDir: join(built, 'dist'),
    },
    files: entriesOf(manifest)
      .filter(isScript)
      .map((path) => join(sources, path)),
    include: [],
  };
  const configFile = `${built}.tsconfig.json`;
  await writeFile(configFile, JSON.stringify(config));
  try {
    await run(join(repositoryRoot, 'node_modules/.bin/tsc'), ['-p', configFile]);
  } catch (error) {
    throw new Error(`${manifest.name} cannot be compiled:\n${(error as { stdout?: string }).stdout}`, { cause: error });
  }
}

/** Finds the names of the packages that the scripts and declarations in a folder import. */
async function findImports(folder: string): Promise<ReadonlySet<string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.[jt]s$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const imports = texts.flatMap((text) => [
    ...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g),
  ]);
  return new Set(imports.map(([, name = '']) => name));
}

function isScript(path: string): boolean {
  return path.endsWith('.ts');
}
