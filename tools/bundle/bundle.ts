// Bundles the processes for their images, so that they start in half of the time: see ADR 125.
import { cp, glob, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON, isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '@survey/local/stack/folder';
import { nodeFileTrace } from '@vercel/nft';
import { rolldown } from 'rolldown';

interface BundledProcess {
  /** Scripts that are started, by their name in the bundle: paths in the repository. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Patterns of other files that the process reads. They keep their paths. */
  readonly files?: readonly string[];
}

const PRELOAD = 'lib/runtime/src/telemetry/preload.ts';

export const processes = {
  gateway: {
    scripts: { main: 'gateway/src/main.ts' },
    files: [
      'README.md',
      'docs/*.md',
      'docs/samples/*',
      'gateway/src/docs/browser/*',
      'gateway/vendor/scalar/*',
      'proto/gen/*.json',
      'web/*/dist/**',
    ],
  },
  identity: { scripts: { main: 'services/identity/src/main.ts' } },
  survey: { scripts: { main: 'services/survey/src/main.ts' } },
  response: { scripts: { main: 'services/response/src/main.ts' } },
  import: { scripts: { main: 'services/import/src/main.ts', thread: 'services/import/src/reading/thread.ts' } },
  webhook: { scripts: { main: 'services/webhook/src/main.ts' } },
  admin: { scripts: { main: 'tools/admin/admin.ts' } },
} satisfies Readonly<Record<string, BundledProcess>>;

/**
 * Packages that stay packages. Instrumentation patches files of `mongodb` as they are loaded, and its hooks and the SDK
 * share modules. `piscina` starts a script of its own in threads.
 */
const NOT_BUNDLED = [/^@opentelemetry\//, /^import-in-the-middle/, 'mongodb', 'piscina'];

/** Files of packages that were read for one process, so that they are not read again for the next one. */
const tracedFiles = {};

/**
 * Writes a folder with all files of a process. `process/dist/main.js` starts it, and `process/dist/preload.js` enables
 * tracing: `node --import ./process/dist/preload.js process/dist/main.js`.
 */
export async function bundle({ scripts, files = [] }: BundledProcess, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const dist = join(folder, 'process/dist');
  await using build = await rolldown({
    cwd: repositoryRoot,
    input: { preload: PRELOAD, ...scripts },
    platform: 'node',
    external: NOT_BUNDLED,
    // A package that is not found would otherwise be missed only when the process runs.
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: dist,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  const built = new Set(output.map(({ fileName }) => fileName));
  const imported = output.flatMap((part) => (part.type === 'chunk' ? [...part.imports, ...part.dynamicImports] : []));
  const packages = [...new Set(imported)].filter((name) => !isBuiltin(name) && !built.has(name));
  const { fileList } = await nodeFileTrace(
    packages.map((name) => fileURLToPath(import.meta.resolve(name))),
    { base: repositoryRoot, cache: tracedFiles },
  );
  // The tracer finds manifests of packages that packages import, but not of the first ones.
  const manifests = packages.map((name) => relative(repositoryRoot, findPackageJSON(name, import.meta.url) ?? ''));
  const served = (await Promise.all(files.map(findFiles))).flat();
  for (const path of [...fileList, ...manifests, ...served])
    await cp(join(repositoryRoot, path), join(folder, path), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
}

/** Paths of the files and folders that match a pattern. Throws if there is none, as without built web apps. */
async function findFiles(pattern: string): Promise<string[]> {
  const paths = await Array.fromAsync(glob(pattern, { cwd: repositoryRoot }));
  if (paths.length === 0) throw new Error(`no file matches ${pattern}`);
  return paths;
}
