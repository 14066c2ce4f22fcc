// Installs the platform on a Kubernetes cluster, for trials and development, with docker, kubectl and helm.
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import {
  applyManifests,
  applyTrial,
  forwardGateway,
  installChart,
  removeAll,
  testChart,
} from './cluster/chart-commands.ts';
import { type Command, toCommandLine } from './cluster/command.ts';
import { planForwards } from './cluster/forward.ts';
import { BASE, buildImage, inspectImage, isPinned } from './cluster/image-commands.ts';
import { imageNames, NAMESPACE, RELEASE, type Target } from './cluster/names.ts';
import { capture, findBase, run, runAll, runBuilds } from './cluster/run-step.ts';
import { toTrialSecrets } from './cluster/secrets.ts';
import { createVolumes, volumeNames } from './cluster/volumes.ts';
import { findCommand, type OptionValues, runCommandLine } from './process/command-line.ts';
import { createHost } from './process/host.ts';
import { repositoryRoot, toPaths } from './stack/folder.ts';
import { createStackFile } from './stack/stack-file.ts';

const USAGE = `usage: npm run --silent cluster -- COMMAND

  images [--base IMAGE] [--unpinned] [--npmrc FILE] [--network NAME]
                              builds the images with Docker 23 or later, BuildKit and buildx. Looks up the digest of the base image, or takes IMAGE@sha256:…;
                              --unpinned uses the name without a digest
  secrets [--folder FOLDER]   prints the namespace and trial Secrets for kubectl
  up [--folder FOLDER]        installs the Secrets, MongoDB and Kafka of deploy/trial, and the chart. Without a
                              StorageClass, the data is in the folder, and this machine must be the node
  test                        runs helm test
  forward [--folder FOLDER] [--release NAME] [--namespace NAME]
                              forwards the gateway to port 8080 of this machine, and the ports that
                              LOCAL_DIR=FOLDER npm run admin needs, until Ctrl-C. NAME is survey by default
  down                        removes everything and its data
  commands                    prints the commands that the others run, and runs nothing

Keys are created once, in the folder (default .local/cluster). After "images", load the images into the cluster yourself.
`;

const tag = manifest.version;
const options = {
  base: { type: 'string', default: BASE },
  unpinned: { type: 'boolean', default: false },
  npmrc: { type: 'string' },
  network: { type: 'string' },
  folder: { type: 'string', default: join(repositoryRoot, '.local/cluster') },
  release: { type: 'string', default: RELEASE },
  namespace: { type: 'string', default: NAMESPACE },
} as const;

/** Runs commands concurrently until one of them ends, or this process is stopped. */
async function runTogether(steps: readonly Command[]): Promise<void> {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  const running = steps.map((step) => run(step, end.signal));
  try {
    await Promise.race(running);
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    end.abort();
    await Promise.allSettled(running);
  }
}

async function forward(folder: string, target: Target): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const host = createHost();
  cleanup.defer(host.close);
  const { commands, info } = await planForwards(host.ports, target);
  const stackFile = createStackFile(toPaths(folder).stackFile);
  cleanup.defer(stackFile.remove);
  await stackFile.write(info);
  await runTogether(commands);
}

type Values = OptionValues<typeof options>;

const images = (values: Values, base: string) => imageNames.map((name) => buildImage(name, tag, { ...values, base }));
const secretsOf = ({ folder }: Values) => toTrialSecrets(toPaths(folder).keys, NAMESPACE);

const removeVolumes: Command = {
  command: 'kubectl',
  args: ['delete', 'persistentvolumes', '--ignore-not-found', ...volumeNames],
};

async function up(values: Values): Promise<void> {
  await run(applyManifests(await secretsOf(values)));
  const classes = await capture({ command: 'kubectl', args: ['get', 'storageclasses', '--output', 'name'] });
  if (classes.trim() === '') {
    console.error('the cluster has no StorageClass: MongoDB and Kafka store their data on this machine');
    const items = await createVolumes(values.folder);
    await run(applyManifests({ apiVersion: 'v1', kind: 'List', items }));
  }
  await runAll([applyTrial(), installChart(String(Date.now()))]);
}

const COMMANDS: Readonly<Record<string, (values: Values) => Promise<void>>> = {
  images: async (values) => runBuilds(images(values, await findBase(values))),
  secrets: async (values) => console.log(JSON.stringify(await secretsOf(values))),
  up,
  test: () => run(testChart()),
  forward: ({ folder, release, namespace }) => forward(folder, { release, namespace }),
  down: () => runAll([...removeAll(), removeVolumes]),
  commands: async (values) => {
    const secrets = `npm run --silent cluster -- secrets | ${toCommandLine(applyManifests({}))}`;
    const rest = [applyTrial(), installChart('NEW'), testChart(), forwardGateway(), ...removeAll()];
    const base = values.unpinned || isPinned(values.base) ? values.base : `${values.base}@DIGEST`;
    const builds = [inspectImage(values.base), ...images(values, base)].map(toCommandLine);
    console.log([...builds, secrets, ...rest.map(toCommandLine)].join('\n'));
  },
};

await runCommandLine({
  usage: USAGE,
  options,
  allowPositionals: true,
  run: ({ values, positionals }) => findCommand(COMMANDS, positionals)(values),
});
