import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { download } from '@survey/local/infra/cache';
import type { Host } from '@survey/local/process/host';
import { runCommand } from '@survey/local/process/run-command';
import manifest from '../../package.json' with { type: 'json' };
import { root } from './run-step.ts';

/** The code of an earlier release, with its packages. */
export interface Release {
  /** Tag or commit. */
  readonly name: string;
  readonly folder: string;
}

/**
 * Checks out the latest release before this commit, and installs its packages. The result stays in the cache folder.
 * The release is the last tag `v…`, or, without tags, the commit that set the current version. Throws in a shallow
 * clone.
 */
export async function checkOutPreviousRelease({ reaper }: Host): Promise<Release> {
  const name = await findRelease();
  const folder = await download({
    name: `release-${name}`,
    log: (line) => process.stderr.write(`${line}\n`),
    async fetch(into) {
      await runCommand('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', name, into], { reaper, cwd: root });
      await alignVersions(into);
      const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
      await runCommand('npm', install, { reaper, cwd: into });
    },
  });
  return { name, folder };
}

async function findRelease(): Promise<string> {
  const tag = await git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^').catch(() => '');
  if (tag !== '') return tag;
  const version = `"version": "${manifest.version}"`;
  const commits = await git('log', '--format=%H', `-S${version}`, '--', 'package.json');
  const commit = commits.split('\n').at(-1) ?? '';
  if (commit === '') throw new Error('the history has no release: fetch all commits and tags, not a shallow clone');
  return commit;
}

async function git(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
}

/** Corrects the versions of our own packages: those of 0.2.0 require 0.1.0 of each other, which npm would look up. */
async function alignVersions(folder: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((path) => /(?:^|\/)package(?:-lock)?\.json$/.test(path))) {
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(/("@survey\/[a-z-]+": )"\d[^"]*"/g, `$1"${version}"`));
  }
}
