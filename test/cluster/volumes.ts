import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NAMESPACE } from '@survey/local/cluster/plan';
import { apply, kubectl, list } from './commands.ts';

/** Volume claims of deploy/trial. */
const CLAIMS = ['data-mongodb-0', 'data-kafka-0'];
const nameOf = (claim: string) => `${NAMESPACE}-${claim}`;

/**
 * Makes volumes for MongoDB and Kafka where the cluster makes none by itself: folders of this machine, which has to be
 * its node then.
 */
export async function ensureVolumes(folder: string): Promise<void> {
  if ((await list('storageclasses')).length > 0) return;
  const volumes = CLAIMS.map(async (claim) => {
    const path = join(folder, 'volumes', claim);
    await mkdir(path, { recursive: true });
    // Whom the pods run as, and those above it, have to get in: nobody gives such folders to the group of a pod.
    for (const each of [folder, join(folder, 'volumes')]) await chmod(each, 0o755);
    await chmod(path, 0o777);
    return toVolume(claim, path);
  });
  await apply(await Promise.all(volumes));
}

/** Removes these volumes, if there are any. */
export async function removeVolumes(): Promise<void> {
  await kubectl(['delete', 'persistentvolumes', '--ignore-not-found', ...CLAIMS.map(nameOf)]);
}

function toVolume(claim: string, path: string): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: nameOf(claim) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '2Gi' },
      hostPath: { path, type: 'Directory' },
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace: NAMESPACE, name: claim },
    },
  };
}
