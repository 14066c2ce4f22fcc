import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageOf, processNames } from '@survey/local/cluster/plan';
import manifest from '../../package.json' with { type: 'json' };
import { run } from './commands.ts';

const DOCKERFILE = join(import.meta.dirname, '../../deploy/Dockerfile');
const MB = 1e6;
const MOST_MB = 250;

/**
 * Builds the images like `npm run cluster -- images`, with the options in `SURVEY_CLUSTER_BUILD`. Loads them into the
 * cluster with the command in `SURVEY_CLUSTER_LOAD`, which gets the path of a `docker save` file.
 * `SURVEY_CLUSTER_IMAGES=present` skips both.
 *
 * @param folder for the file
 */
export async function bringImages(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (env['SURVEY_CLUSTER_IMAGES'] === 'present') return;
  const load = env['SURVEY_CLUSTER_LOAD'];
  if (!load) {
    throw new Error(
      'SURVEY_CLUSTER_LOAD must be a command that brings a file of images to the nodes, such as "minikube image load"; or SURVEY_CLUSTER_IMAGES=present says that they are there',
    );
  }
  const options = env['SURVEY_CLUSTER_BUILD']?.split(' ') ?? [];
  await run({ command: process.execPath, args: ['deploy/local/cluster.ts', 'images', ...options] });
  const images = processNames.map((name) => `${imageOf(name)}:${manifest.version}`);
  await checkSizes(images, await baseOf(options));
  const file = join(folder, 'images.tar');
  await run({ command: 'docker', args: ['save', '--output', file, ...images] });
  await run({ command: 'sh', args: ['-c', `${load} "$1"`, 'sh', file] });
}

/** The base image of the options, by default of the Dockerfile. */
async function baseOf(options: readonly string[]): Promise<string> {
  const at = options.indexOf('--base');
  const named = at === -1 ? undefined : options[at + 1];
  const base = named ?? /^ARG BASE=(.+)$/m.exec(await readFile(DOCKERFILE, 'utf8'))?.[1];
  if (base === undefined) throw new Error('deploy/Dockerfile has no base image');
  return base;
}

/** Throws if an image is too much larger than its base. Prints the sizes. */
async function checkSizes(images: readonly string[], base: string): Promise<void> {
  const sizeOf = async (image: string) =>
    Number(await run({ command: 'docker', args: ['image', 'inspect', '--format', '{{.Size}}', image] })) / MB;
  const baseSize = await sizeOf(base);
  const added = await Promise.all(
    images.map(async (image) => [image, Math.round((await sizeOf(image)) - baseSize)] as const),
  );
  console.table(Object.fromEntries(added.map(([image, size]) => [image, { 'MB beyond the base': size }])));
  const large = added.filter(([, size]) => size >= MOST_MB);
  if (large.length > 0) throw new Error(`larger than ${MOST_MB} MB beyond their base: ${large.join(' ')}`);
}
