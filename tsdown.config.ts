// Builds the packages for npm into .cache/packages, and checks them. In this repository, their package.json names
// sources, so that nothing needs a build before it runs. The built package.json names built files.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

type Paths = Readonly<Record<string, string>>;

const root = import.meta.dirname;
/** Folders in `lib/`. */
const PACKAGES = ['client', 'webhooks', 'questionnaire', 'cli'];

export function toConfigs(output: string) {
  rmSync(output, { recursive: true, force: true });
  return PACKAGES.map((name) => {
    const source = join(root, 'lib', name);
    const built = join(output, name);
    const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const { private: _, devDependencies: __, exports, bin, dependencies = {}, ...members } = manifest;
    const modules = listModules(source);
    const code = modules.map((path) => readFileSync(path, 'utf8')).join('\n');
    const published = {
      ...members,
      repository: findRepository(`lib/${name}`),
      files: ['dist', 'CHANGELOG.md'],
      exports: exports && { ...toBuiltPaths(exports), './package.json': './package.json' },
      bin: bin && toBuiltPaths(bin),
      // Some dependencies are only for other modules in the folder.
      dependencies: pick(dependencies, (dependency) => code.includes(`from '${dependency}`)),
    };
    mkdirSync(join(built, 'dist'), { recursive: true });
    writeFileSync(join(built, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    for (const file of ['README.md', 'CHANGELOG.md']) copyFileSync(join(source, file), join(built, file));
    copyFileSync(join(root, 'LICENSE'), join(built, 'LICENSE'));
    for (const path of Object.values<string>(exports ?? {}).filter((path) => path.endsWith('.json')))
      copyFileSync(join(source, path), join(built, 'dist', basename(path)));
    return {
      name: manifest.name as string,
      cwd: built,
      clean: false,
      root: join(source, 'src'),
      entry: Object.fromEntries(modules.map((path) => [relative(join(source, 'src'), path).replace('.ts', ''), path])),
      // One built file for each source: users' bundlers leave out the others.
      unbundle: true,
      tsconfig: join(source, 'tsconfig.build.json'),
      target: 'es2022',
      platform: bin ? 'node' : 'neutral',
      fixedExtension: false,
      dts: exports !== undefined,
      // TypeScript 7.0 has no API, so tsdown runs its compiler.
      suppressWarnings: 'TypeScript 7.0 does not yet have a stable API',
      // A package that is not in `dependencies` must not become a part of ours.
      deps: { onlyBundle: [] },
      publint: { strict: true },
      attw: exports !== undefined && { profile: 'esm-only', level: 'error' },
      failOnWarn: true,
      report: { summary: true },
    };
  });
}

export default () => toConfigs(join(root, '.cache/packages'));

/** Checks the types of a package. Returns the modules that its entries import. */
function listModules(source: string): readonly string[] {
  const args = ['-p', join(source, 'tsconfig.build.json'), '--listFiles'];
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
  return stdout.split('\n').filter((path) => path.startsWith(join(source, 'src')));
}

/** Patterns such as `./*` are for this repository only. */
function toBuiltPaths(paths: Paths): Paths {
  const named = Object.entries(pick(paths, (name) => !name.includes('*')));
  return Object.fromEntries(
    named.map(([name, path]) => [name, path.replace(/^\.\/(?:src\/)?/, './dist/').replace(/\.ts$/, '.js')]),
  );
}

/** The repository whose workflow runs. npm compares it with the provenance of a release. */
function findRepository(directory: string) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  if (!GITHUB_REPOSITORY) return undefined;
  return { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`, directory };
}

function pick(members: Paths, isPicked: (name: string) => boolean): Paths {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isPicked(name)));
}
