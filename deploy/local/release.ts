// Publishes a version: pushes images and the chart to a registry. `.github/workflows/release.yml` runs these commands.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { BASE, buildImage, CHART, type Command, processNames, toLine } from './cluster/plan.ts';
import { findBase, runAll } from './cluster/run-step.ts';
import { notesOf } from './release/changelog.ts';
import { repositoryRoot } from './stack/folder.ts';

const USAGE = `usage: npm run --silent release -- COMMAND

  notes                                 prints the notes of the version in package.json, from CHANGELOG.md
  images --registry NAME [--base IMAGE] builds the image of each process on the digest of its base image, and pushes it
                                        to NAME with its SBOM and provenance
  chart --registry NAME                 packages the Helm chart and pushes it to oci://NAME
  commands --registry NAME              prints the commands that the others run, and runs nothing
`;

const { version } = manifest;
const { values, positionals } = parseArgs({
  options: {
    registry: { type: 'string' },
    base: { type: 'string', default: BASE },
  },
  allowPositionals: true,
});

function registry(): string {
  if (values.registry === undefined) throw new Error(USAGE);
  return values.registry;
}

function images(base: string): readonly Command[] {
  return processNames.map((name) => buildImage(name, version, { base, pushTo: registry() }));
}

function chart(): readonly Command[] {
  const folder = '.cache/release';
  return [
    { command: 'helm', args: ['package', CHART, '--destination', folder] },
    { command: 'helm', args: ['push', `${folder}/survey-${version}.tgz`, `oci://${registry()}`] },
  ];
}

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  notes: async () => console.log(notesOf(await readFile(join(repositoryRoot, 'CHANGELOG.md'), 'utf8'), version)),
  images: async () => runAll(images(await findBase({ base: values.base, unpinned: false }))),
  chart: () => runAll(chart()),
  commands: async () => console.log([...images(`${values.base}@DIGEST`), ...chart()].map(toLine).join('\n')),
};

const command = COMMANDS[positionals.join(' ')];
try {
  if (command === undefined) throw new Error(USAGE);
  await command();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
