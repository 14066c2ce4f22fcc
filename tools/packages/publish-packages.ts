import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@survey/local/stack/folder';
import type { Command } from '../cluster/command.ts';
import { run } from '../cluster/run-step.ts';
import { repositoryUrl } from '../release/repository-url.ts';
import { buildPackages } from './build-packages.ts';
import type { Manifest } from './manifest.ts';

interface PublishOptions {
  /** URL of the npm registry. */
  readonly registry: string;
  /** Whether npm records which workflow built the package. Works on GitHub only. */
  readonly provenance: boolean;
}

/** Publishes all packages. Skips versions that the registry has, so that a failed release can be repeated. */
export async function publishPackages(options: PublishOptions, env = process.env): Promise<void> {
  for (const { manifest, tarball } of await buildPackages(
    join(repositoryRoot, '.cache/release/packages'),
    // npm accepts provenance only for a package that names the repository of the workflow.
    toGitUrl(repositoryUrl(env)),
  )) {
    const name = `${manifest.name}@${manifest.version}`;
    if (await isPublished(manifest, options)) console.log(`${name} is published already`);
    else await run(publish(tarball, options));
  }
}

function toGitUrl(url: string | undefined): string | undefined {
  return url && `git+${url}.git`;
}

function publish(tarball: string, { registry, provenance }: PublishOptions): Command {
  const args = ['publish', tarball, '--access', 'public', '--registry', registry];
  return { command: 'npm', args: [...args, ...(provenance ? ['--provenance'] : [])] };
}

async function isPublished({ name, version }: Manifest, { registry }: PublishOptions): Promise<boolean> {
  const args = ['view', name, 'versions', '--json', '--registry', registry];
  // npm prints errors as JSON too.
  const { stdout } = await promisify(execFile)('npm', args).catch((error: Error & { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  const reply = JSON.parse(stdout);
  if (reply.error?.code === 'E404') return false;
  if (reply.error !== undefined) throw new Error(`npm view ${name}: ${reply.error.summary}`);
  return [reply].flat().includes(version);
}
