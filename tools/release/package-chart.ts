import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@survey/local/stack/folder';
import type { Command } from '../cluster/command.ts';
import { CHART } from '../cluster/names.ts';

/** Folder of the packages, relative to the root of the repository. */
export const RELEASE_FOLDER = '.cache/release';
const COPY = `${RELEASE_FOLDER}/chart`;

/** Chart.yaml with the links to the repository that publishes it. Without a repository, it is unchanged. */
export function withLinks(chart: string, repositoryUrl: string | undefined): string {
  return repositoryUrl === undefined ? chart : `${chart}home: ${repositoryUrl}\nsources:\n  - ${repositoryUrl}\n`;
}

/** Copies the chart, and adds its links. */
export async function copyChart(repositoryUrl: string | undefined): Promise<void> {
  const copy = join(repositoryRoot, COPY);
  await rm(copy, { recursive: true, force: true });
  await cp(join(repositoryRoot, CHART), copy, { recursive: true });
  const file = join(copy, 'Chart.yaml');
  await writeFile(file, withLinks(await readFile(file, 'utf8'), repositoryUrl));
}

/** Packages the copy of the chart. */
export const packageChart: Command = { command: 'helm', args: ['package', COPY, '--destination', RELEASE_FOLDER] };
