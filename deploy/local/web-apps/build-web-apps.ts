import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../stack/folder.ts';
import type { BuildOptions } from './vite-build.ts';

interface WebApp {
  readonly folder: string;
  /** Path of the gateway that serves it. */
  readonly base: string;
  /** Folder of the built files. */
  readonly output: string;
}

export const webApps: readonly WebApp[] = [
  { name: 'console', base: '/console/' },
  { name: 'respond', base: '/s/' },
].map(({ name, base }) => {
  const folder = join(repositoryRoot, 'web', name);
  return { folder, base, output: join(folder, 'dist') };
});

/** File of a built app with the digest of the sources that it was built from. */
const SOURCES_FILE = 'sources.txt';
const BUILD_SCRIPT = join(import.meta.dirname, 'vite-build.ts');
const SHARED_SOURCES = [
  'lib/{client,questionnaire}/{src/**/*.ts,package.json}',
  'web/console/src/{styles/tokens.css,app/icon.svg}',
  'package-lock.json',
];

/** Builds the web apps whose sources have changed since their last build. */
export async function buildWebApps(log: (line: string) => void): Promise<void> {
  await Promise.all(webApps.map((app) => buildIfChanged(app, log)));
}

async function buildIfChanged(app: WebApp, log: (line: string) => void): Promise<void> {
  const digest = await digestSources(app);
  if ((await readBuiltDigest(app)) === digest) return;
  const name = relative(repositoryRoot, app.output);
  log(`building ${name}`);
  const folder = `${app.output}-${randomUUID()}`;
  try {
    await build(app, folder);
    await writeFile(join(folder, SOURCES_FILE), digest);
    await replaceFolder(app.output, folder);
  } catch (error) {
    // Another process may have put the same build in place.
    if ((await readBuiltDigest(app)) !== digest) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds in a process of its own: Vite and React choose their variant by NODE_ENV, which tests set. */
async function build({ folder, base }: WebApp, outDir: string): Promise<void> {
  const options: BuildOptions = { folder, base, outDir };
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [BUILD_SCRIPT, JSON.stringify(options)], { env });
}

/** A digest of the names and contents of all files that the build reads. */
async function digestSources({ folder }: WebApp): Promise<string> {
  const appFolder = relative(repositoryRoot, folder);
  const files = await Array.fromAsync(
    glob([`${appFolder}/{src/**,public/**,*}`, ...SHARED_SOURCES, relative(repositoryRoot, BUILD_SCRIPT)], {
      cwd: repositoryRoot,
      withFileTypes: true,
    }),
  );
  const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256');
  for (const path of paths.filter((path) => !path.endsWith('.test.ts')).toSorted()) {
    const content = await readFile(path);
    hash.update(`${relative(repositoryRoot, path)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

async function readBuiltDigest({ output }: WebApp): Promise<string | undefined> {
  return readFile(join(output, SOURCES_FILE), 'utf8').catch(() => undefined);
}

async function replaceFolder(target: string, built: string): Promise<void> {
  const old = `${target}-${randomUUID()}`;
  try {
    await rename(target, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(built, target);
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}
