// Publishes a version: pushes images and the chart to a registry, and packages to npm. `.github/workflows/release.yml`
// runs these commands.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCommand, type OptionValues, runCommandLine, UsageError } from '@survey/local/process/command-line';
import { repositoryRoot } from '@survey/local/stack/folder';
import manifest from '../../package.json' with { type: 'json' };
import { type Command, toCommandLine } from '../cluster/command.ts';
import { BASE, buildImage, withDigestPlaceholder } from '../cluster/image-commands.ts';
import { imageNames } from '../cluster/names.ts';
import { findBase, runAll } from '../cluster/run-step.ts';
import { publishPackages } from '../packages/publish-packages.ts';
import { notesOf } from './changelog.ts';
import { copyChart, packageChart, RELEASE_FOLDER } from './package-chart.ts';
import { repositoryUrl } from './repository-url.ts';

const USAGE = `usage: npm run --silent release -- COMMAND

  notes                                 prints the notes of the version in package.json, from CHANGELOG.md
  images --registry NAME [--base IMAGE] builds the image of each process on the digest of its base image, and pushes it
                                        to NAME with its SBOM and provenance
  chart --registry NAME                 packages the Helm chart, and pushes it to oci://NAME. Its links name the GitHub
                                        repository that runs the workflow
  packages --registry URL [--provenance]
                                        builds and checks the packages for npm, and publishes to URL those whose version
                                        is not there. --provenance works in workflows of GitHub
  commands --registry NAME [--base IMAGE]
                                        prints the commands of images and chart, and runs nothing
`;

const { version } = manifest;
const options = {
  registry: { type: 'string' },
  base: { type: 'string' },
  provenance: { type: 'boolean' },
} as const;

function images(registry: string, base: string): readonly Command[] {
  return imageNames.map((name) => buildImage(name, version, { base, pushTo: registry }));
}

function chart(registry: string): readonly Command[] {
  const archive = `${RELEASE_FOLDER}/survey-${version}.tgz`;
  return [packageChart, { command: 'helm', args: ['push', archive, `oci://${registry}`] }];
}

type Values = OptionValues<typeof options>;

function registryOf({ registry }: Values): string {
  if (registry === undefined) throw new UsageError('--registry is missing');
  return registry;
}

interface ReleaseCommand {
  readonly options: readonly (keyof Values)[];
  readonly run: (values: Values) => Promise<void>;
}

const COMMANDS: Readonly<Record<string, ReleaseCommand>> = {
  notes: {
    options: [],
    run: async () => console.log(notesOf(await readFile(join(repositoryRoot, 'CHANGELOG.md'), 'utf8'), version)),
  },
  images: {
    options: ['registry', 'base'],
    async run({ base = BASE, ...values }) {
      const registry = registryOf(values);
      await runAll(images(registry, await findBase({ base, unpinned: false })));
    },
  },
  chart: {
    options: ['registry'],
    async run(values) {
      const registry = registryOf(values);
      await copyChart(repositoryUrl(process.env));
      await runAll(chart(registry));
    },
  },
  packages: {
    options: ['registry', 'provenance'],
    run: async ({ provenance = false, ...values }) => publishPackages({ registry: registryOf(values), provenance }),
  },
  commands: {
    options: ['registry', 'base'],
    async run({ base = BASE, ...values }) {
      const registry = registryOf(values);
      console.log([...images(registry, withDigestPlaceholder(base)), ...chart(registry)].map(toCommandLine).join('\n'));
    },
  },
};

await runCommandLine({
  usage: USAGE,
  options,
  allowPositionals: true,
  async run(parsed) {
    const command = findCommand(COMMANDS, parsed, (candidate) => candidate.options);
    await command.run(parsed.values);
  },
});
