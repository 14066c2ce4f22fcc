import { join } from 'node:path';
import { imageOf, processNames } from '@survey/local/cluster/plan';
import manifest from '../../package.json' with { type: 'json' };
import { run } from './commands.ts';

/**
 * Builds the images as `npm run cluster -- images` does, with the options in SURVEY_CLUSTER_BUILD, and brings them to the
 * nodes by the command in SURVEY_CLUSTER_LOAD, which gets the path of a file made by `docker save`.
 * SURVEY_CLUSTER_IMAGES=present says that they are there.
 * @param folder for the file
 */
export async function bringImages(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (env['SURVEY_CLUSTER_IMAGES'] === 'present') return;
  const load = env['SURVEY_CLUSTER_LOAD'];
  if (!load) {
    throw new Error(
      'SURVEY_CLUSTER_LOAD has to be a command that brings a file of images to the nodes, such as "minikube image load"; or SURVEY_CLUSTER_IMAGES=present says that they are there',
    );
  }
  const options = env['SURVEY_CLUSTER_BUILD']?.split(' ') ?? [];
  await run({ command: process.execPath, args: ['deploy/local/cluster.ts', 'images', ...options] });
  const file = join(folder, 'images.tar');
  const images = processNames.map((name) => `${imageOf(name)}:${manifest.version}`);
  await run({ command: 'docker', args: ['save', '--output', file, ...images] });
  await run({ command: 'sh', args: ['-c', `${load} "$1"`, 'sh', file] });
}
