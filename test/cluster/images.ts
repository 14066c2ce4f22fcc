import { join } from 'node:path';
import { imageNames, imageOf } from '@survey/tools/cluster/names';
import { run as runShown } from '@survey/tools/cluster/run-step';
import manifest from '../../package.json' with { type: 'json' };
import { run } from './commands.ts';
import { sumOwnLayers } from './own-layers.ts';

const MB = 1e6;
const MOST_MB = 60;

/**
 * Builds the images like `npm run cluster -- images`, with the options in `SURVEY_CLUSTER_BUILD`. Loads them into the
 * cluster with the command in `SURVEY_CLUSTER_LOAD`, which gets the path of a `docker save` file.
 * `SURVEY_CLUSTER_IMAGES=present` skips both.
 *
 * @param folder for the file
 */
export async function transferImages(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (env['SURVEY_CLUSTER_IMAGES'] === 'present') return;
  const load = env['SURVEY_CLUSTER_LOAD'];
  if (!load) {
    throw new Error(
      'SURVEY_CLUSTER_LOAD must be a command that brings a file of images to the nodes, such as "minikube image load"; or SURVEY_CLUSTER_IMAGES=present says that they are there',
    );
  }
  const options = env['SURVEY_CLUSTER_BUILD']?.split(' ') ?? [];
  // Shows the output, because a build takes minutes.
  await runShown({ command: process.execPath, args: ['tools/cluster/cluster.ts', 'images', ...options] });
  const images = imageNames.map((name) => `${imageOf(name)}:${manifest.version}`);
  await checkSizes(images);
  const file = join(folder, 'images.tar');
  await run({ command: 'docker', args: ['save', '--output', file, ...images] });
  await run({ command: 'sh', args: ['-c', `${load} "$1"`, 'sh', file] });
}

/** Throws if our layers of an image are too large. Prints the sizes. */
async function checkSizes(images: readonly string[]): Promise<void> {
  const added = await Promise.all(
    images.map(async (image) => [image, Math.round((await sizeOfOwn(image)) / MB)] as const),
  );
  console.table(Object.fromEntries(added.map(([image, size]) => [image, { 'MB beyond the base': size }])));
  const large = added.filter(([, size]) => size >= MOST_MB);
  if (large.length > 0) throw new Error(`larger than ${MOST_MB} MB beyond their base: ${large.join(' ')}`);
}

/** Bytes of the layers from the last stage of the Dockerfile. BuildKit does not store the base image as an image. */
async function sizeOfOwn(image: string): Promise<number> {
  const args = ['image', 'history', '--no-trunc', '--human=false', '--format', '{{.Size}} {{.CreatedBy}}', image];
  return sumOwnLayers(await run({ command: 'docker', args }));
}
