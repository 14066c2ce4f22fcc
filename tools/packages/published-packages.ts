import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@survey/local/stack/folder';
import rootManifest from '../../package.json' with { type: 'json' };
import type { Manifest } from './manifest.ts';

/** A workspace that is published to npm. */
export interface PublishedPackage {
  /** Folder of the sources in the repository. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Workspaces whose package.json has `publishConfig`, in the order of the workspaces: dependencies come first. */
export async function listPackages(): Promise<readonly PublishedPackage[]> {
  const all = await Promise.all(
    rootManifest.workspaces.map(async (folder) => {
      const manifest: Manifest = JSON.parse(await readFile(join(repositoryRoot, folder, 'package.json'), 'utf8'));
      return { folder, manifest };
    }),
  );
  return all.filter(({ manifest }) => manifest['publishConfig'] !== undefined);
}
