import { basename } from 'node:path';

/** The members of a package.json that the build reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  /** Sources by the path that users import. */
  readonly exports?: Readonly<Record<string, string>>;
  /** Sources by the name of their command. */
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Members that only this repository needs. */
const INTERNAL = ['private', 'devDependencies'];

/**
 * The published package.json: its paths name built files in `dist/`. In this repository, paths name sources, so that
 * nothing needs a build before it runs. Patterns such as `./*` are for this repository only.
 *
 * @param repository npm compares it with the provenance of a release
 */
export function toPublished(manifest: Manifest, repository?: { readonly url: string; readonly directory: string }) {
  const members = Object.entries(manifest).filter(([member]) => !INTERNAL.includes(member));
  const { exports = {}, bin = {} } = manifest;
  return {
    ...Object.fromEntries(members),
    ...(repository === undefined ? {} : { repository: { type: 'git', ...repository } }),
    files: ['dist', 'CHANGELOG.md'],
    ...(Object.keys(exports).length === 0 ? {} : { exports: toExports(exports) }),
    ...(Object.keys(bin).length === 0
      ? {}
      : { bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, builtFile(path)])) }),
  };
}

/** Leaves out dependencies that only files outside of the package import. */
export function withoutUnusedDependencies(manifest: Manifest, imported: ReadonlySet<string>): Manifest {
  const { dependencies = {}, ...others } = manifest;
  const needed = Object.entries(dependencies).filter(([name]) => imported.has(name));
  return needed.length === 0 ? others : { ...others, dependencies: Object.fromEntries(needed) };
}

/** The sources that a package is built from: the files that users import, and the commands. */
export function entriesOf({ exports = {}, bin = {} }: Manifest): readonly string[] {
  return [...namedExports(exports).map(([, path]) => path), ...Object.values(bin)];
}

function toExports(exports: Readonly<Record<string, string>>) {
  const built = namedExports(exports).map(([name, path]) => {
    const file = builtFile(path);
    return [name, isSource(path) ? { types: file.replace(/\.js$/, '.d.ts'), default: file } : file];
  });
  return Object.fromEntries([...built, ['./package.json', './package.json']]);
}

function namedExports(exports: Readonly<Record<string, string>>) {
  return Object.entries(exports).filter(([name]) => !name.includes('*'));
}

function isSource(path: string): boolean {
  return path.endsWith('.ts');
}

function builtFile(path: string): string {
  return isSource(path) ? path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js') : `./dist/${basename(path)}`;
}
