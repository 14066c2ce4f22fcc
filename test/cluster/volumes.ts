import { createVolumes } from '@survey/tools/cluster/volumes';
import { apply, list } from './commands.ts';

/** Creates volumes for MongoDB and Kafka if the cluster cannot, like `npm run cluster -- up`. */
export async function ensureVolumes(folder: string): Promise<void> {
  if ((await list('storageclasses')).length > 0) return;
  await apply(await createVolumes(folder));
}
