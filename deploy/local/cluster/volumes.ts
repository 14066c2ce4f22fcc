import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NAMESPACE } from './names.ts';

/** The volume claims of deploy/trial. */
const CLAIMS = ['data-mongodb-0', 'data-kafka-0'];

/** Names of the volumes of `createVolumes`. */
export const volumeNames: readonly string[] = CLAIMS.map(nameOf);

/**
 * Creates folders for the data of MongoDB and Kafka, and returns their volumes, for clusters without a StorageClass.
 * This machine must be the node.
 */
export function createVolumes(folder: string): Promise<readonly object[]> {
  const volumes = CLAIMS.map(async (claim) => {
    const path = join(folder, 'volumes', claim);
    await mkdir(path, { recursive: true });
    // The pods' user needs access to the folder and its parents, because such volumes ignore fsGroup.
    for (const each of [folder, join(folder, 'volumes')]) await chmod(each, 0o755);
    await chmod(path, 0o777);
    return toVolume(claim, path);
  });
  return Promise.all(volumes);
}

function nameOf(claim: string): string {
  return `${NAMESPACE}-${claim}`;
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
