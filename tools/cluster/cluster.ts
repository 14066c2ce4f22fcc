// Installs the platform on a Kubernetes cluster, for trials and development, with docker, kubectl and helm.
import { join, resolve } from 'node:path';
import { findCommand, type OptionValues, runCommandLine } from '@survey/local/process/command-line';
import { createHost } from '@survey/local/process/host';
import { listenForStop } from '@survey/local/process/listen-for-stop';
import { repositoryRoot, toPaths } from '@survey/local/stack/folder';
import { createStackFile } from '@survey/local/stack/stack-file';
import manifest from '../../package.json' with { type: 'json' };
import {
  applyManifests,
  applyTrial,
  findNamespace,
  forwardGateway,
  installChart,
  removeAll,
  testChart,
} from './chart-commands.ts';
import { type Command, toCommandLine } from './command.ts';
import { planForwards } from './forward.ts';
import { BASE, buildImage, inspectImage, withDigestPlaceholder } from './image-commands.ts';
import { imageNames, NAMESPACE, RELEASE, type Target, TRIAL_LABEL } from './names.ts';
import { capture, findBase, run, runAll, runBuilds } from './run-step.ts';
import { toTrialSecrets } from './secrets.ts';
import { createVolumes, deleteFolders, foldersOf, removeVolumes } from './volumes.ts';

const USAGE = `usage: npm run --silent cluster -- COMMAND

  images [--base IMAGE] [--unpinned] [--npmrc FILE] [--network NAME] [--push REGISTRY]
                              builds the images with Docker 23 or later, BuildKit and buildx. Looks up the digest of the
                              base image, or takes IMAGE@sha256:…; --unpinned uses the name without a digest. --push
                              pushes them to REGISTRY, with their SBOM and provenance
  secrets [--folder FOLDER]   prints the namespace and trial Secrets for kubectl
  up [--folder FOLDER]        installs the Secrets, MongoDB and Kafka of deploy/trial, and the chart. Without a
                              StorageClass, the data is in the folder, and this machine must be the node
  test                        runs helm test
  forward [--folder FOLDER] [--release NAME] [--namespace NAME]
                              forwards the gateway to port 8080 of this machine, and the ports that
                              LOCAL_DIR=FOLDER npm run admin needs, until Ctrl-C. NAME is survey by default
  down [--folder FOLDER]      removes the trial and its data, also the data in the folder
  commands [--base IMAGE] [--unpinned] [--npmrc FILE] [--network NAME] [--push REGISTRY]
                              prints the commands that the others run, and runs nothing

All use the current context of kubectl. "up" and "down" change nothing if its namespace survey is not that of a trial.
Keys are created once, in the folder (default .local/cluster). After "images", load the images into the cluster yourself.
`;

const tag = manifest.version;
const options = {
  base: { type: 'string' },
  unpinned: { type: 'boolean' },
  npmrc: { type: 'string' },
  network: { type: 'string' },
  push: { type: 'string' },
  folder: { type: 'string' },
  release: { type: 'string' },
  namespace: { type: 'string' },
} as const;

type GivenValues = OptionValues<typeof options>;

const withDefaults = ({ folder = join(repositoryRoot, '.local/cluster'), ...given }: GivenValues) => ({
  base: BASE,
  unpinned: false,
  release: RELEASE,
  namespace: NAMESPACE,
  ...given,
  // Volumes need an absolute path.
  folder: resolve(folder),
});

type Values = ReturnType<typeof withDefaults>;

/** Runs commands concurrently until one of them ends, or this process is stopped. */
async function runTogether(steps: readonly Command[], stopping: AbortSignal): Promise<void> {
  const end = new AbortController();
  const signal = AbortSignal.any([stopping, end.signal]);
  const running = steps.map((step) => run(step, signal));
  try {
    await Promise.race(running);
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    end.abort();
    await Promise.allSettled(running);
  }
}

async function forward(folder: string, target: Target): Promise<void> {
  const stopping = listenForStop();
  await using cleanup = new AsyncDisposableStack();
  const host = createHost();
  cleanup.defer(host.close);
  const { commands, info } = await planForwards(host.ports, target);
  const path = toPaths(folder).stackFile;
  const stackFile = createStackFile(path);
  host.reaper.removeAtEnd(path);
  cleanup.defer(stackFile.remove);
  await stackFile.write(info);
  await runTogether(commands, stopping);
}

const images = ({ push, ...values }: Values, base: string) =>
  imageNames.map((name) => buildImage(name, tag, { ...values, base, pushTo: push }));
const secretsOf = ({ folder }: Values) => toTrialSecrets(toPaths(folder).keys, NAMESPACE);

/** Throws if the namespace exists and is not that of a trial: a trial would overwrite its Secrets. */
async function requireTrial(): Promise<void> {
  const found = await capture(findNamespace());
  const { name, value } = TRIAL_LABEL;
  if (found.trim() === '' || JSON.parse(found).metadata.labels?.[name] === value) return;
  throw new Error(
    `the namespace ${NAMESPACE} is not that of a trial, so nothing was changed. If it is one, label it: kubectl label namespace ${NAMESPACE} ${name}=${value}`,
  );
}

async function up(values: Values): Promise<void> {
  await requireTrial();
  await run(applyManifests(await secretsOf(values)));
  const classes = await capture({ command: 'kubectl', args: ['get', 'storageclasses', '--output', 'name'] });
  if (classes.trim() === '') {
    console.error('the cluster has no StorageClass: MongoDB and Kafka store their data on this machine');
    const items = await createVolumes(values.folder);
    await run(applyManifests({ apiVersion: 'v1', kind: 'List', items }));
  }
  await runAll([applyTrial(), installChart(String(Date.now()))]);
}

/** Removes the platform, and the data that `up` stored on this machine for it. */
async function down({ folder }: Values): Promise<void> {
  await requireTrial();
  const volumes = await capture({ command: 'kubectl', args: ['get', 'persistentvolumes', '--output', 'json'] });
  await runAll([...removeAll(), removeVolumes]);
  await deleteFolders(foldersOf(volumes, folder));
}

interface ClusterCommand {
  readonly options: readonly (keyof Values)[];
  readonly run: (values: Values) => Promise<void>;
}

const COMMANDS: Readonly<Record<string, ClusterCommand>> = {
  images: {
    options: ['base', 'unpinned', 'npmrc', 'network', 'push'],
    run: async (values) => runBuilds(images(values, await findBase(values))),
  },
  secrets: { options: ['folder'], run: async (values) => console.log(JSON.stringify(await secretsOf(values))) },
  up: { options: ['folder'], run: up },
  test: { options: [], run: () => run(testChart()) },
  forward: {
    options: ['folder', 'release', 'namespace'],
    run: ({ folder, release, namespace }) => forward(folder, { release, namespace }),
  },
  down: { options: ['folder'], run: down },
  commands: {
    options: ['base', 'unpinned', 'npmrc', 'network', 'push'],
    async run(values) {
      const secrets = `npm run --silent cluster -- secrets | ${toCommandLine(applyManifests({}))}`;
      const removal = [...removeAll(), removeVolumes];
      const rest = [applyTrial(), installChart('NEW'), testChart(), forwardGateway(), ...removal];
      const base = values.unpinned ? values.base : withDigestPlaceholder(values.base);
      const builds = [inspectImage(values.base), ...images(values, base)].map(toCommandLine);
      console.log([...builds, secrets, ...rest.map(toCommandLine)].join('\n'));
    },
  },
};

await runCommandLine({
  usage: USAGE,
  options,
  allowPositionals: true,
  async run(parsed) {
    const command = findCommand(COMMANDS, parsed, (candidate) => candidate.options);
    await command.run(withDefaults(parsed.values));
  },
});
