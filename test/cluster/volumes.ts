import { createVolumes, volumeNames } from '@survey/local/cluster/volumes';
import { apply, kubectl, list } from './commands.ts';

/** Creates volumes for MongoDB and Kafka if the cluster cannot, like `npm run cluster -- up`. */
export async function ensureVolumes(folder: string): Promise<void> {
  if ((await list('storageclasses')).length > 0) return;
  await apply(await createVolumes(folder));
}

/** Removes these volumes, if any. */
export async function removeVolumes(): Promise<void> {
  await kubectl(['delete', 'persistentvolumes', '--ignore-not-found', ...volumeNames]);
}
