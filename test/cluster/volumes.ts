import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NAMESPACE } from '@survey/local/cluster/plan';
import { apply, kubectl, list } from './commands.ts';

/** The volume claims of deploy/trial. */
const CLAIMS = ['data-mongodb-0', 'data-kafka-0'];
const nameOf = (claim: string) => `${NAMESPACE}-${claim}`;

/**
 * Creates volumes for MongoDB and Kafka if the cluster cannot. They are folders of this machine, which must be the
 * node.
 */
export async function ensureVolumes(folder: string): Promise<void> {
  if ((await list('storageclasses')).length > 0) return;
  const volumes = CLAIMS.map(async (claim) => {
    const path = join(folder, 'volumes', claim);
    await mkdir(path, { recursive: true });
    // The pods' user needs access to the folder and its parents, because such volumes ignore fsGroup.
    for (const each of [folder, join(folder, 'volumes')]) await chmod(each, 0o755);
    await chmod(path, 0o777);
    return toVolume(claim, path);
  });
  await apply(await Promise.all(volumes));
}

/** Removes these volumes, if any. */
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
