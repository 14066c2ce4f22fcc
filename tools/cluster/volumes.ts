import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from './command.ts';
import { NAMESPACE } from './names.ts';

/** The volume claims of deploy/trial. */
const CLAIMS = ['data-mongodb-0', 'data-kafka-0'];

/** The command that removes the volumes of `createVolumes`, but not their folders. */
export const removeVolumes: Command = {
  command: 'kubectl',
  args: ['delete', 'persistentvolumes', '--ignore-not-found', ...CLAIMS.map(nameOf)],
};

/**
 * Creates folders for the data of MongoDB and Kafka, and returns their volumes, for clusters without a StorageClass.
 * This machine must be the node of the cluster.
 */
export function createVolumes(folder: string): Promise<readonly object[]> {
  const volumes = CLAIMS.map(async (claim) => {
    const path = pathOf(folder, claim);
    await mkdir(path, { recursive: true });
    // The pods' user needs access to the folder and its parents, because such volumes ignore fsGroup.
    for (const parent of [folder, join(folder, 'volumes')]) await chmod(parent, 0o755);
    await chmod(path, 0o777);
    return toVolume(claim, path);
  });
  return Promise.all(volumes);
}

/**
 * Returns the folders of data below `folder` that volumes of the cluster use.
 *
 * @param volumes output of `kubectl get persistentvolumes --output json`
 */
export function foldersOf(volumes: string, folder: string): readonly string[] {
  const { items }: { readonly items: readonly Volume[] } = JSON.parse(volumes);
  const pathsByVolume = new Map(items.map(({ metadata, spec }) => [metadata.name, spec.hostPath?.path]));
  return CLAIMS.map((claim) => [claim, pathOf(folder, claim)] as const)
    .filter(([claim, path]) => pathsByVolume.get(nameOf(claim)) === path)
    .map(([, path]) => path);
}

interface Volume {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly hostPath?: { readonly path: string } };
}

/** Deletes folders of volumes. If this user may not delete a folder, the error names it. */
export async function deleteFolders(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await rm(path, { recursive: true, force: true }).catch((cause: Error) => {
      throw new Error(`cannot delete the data in ${path} (${cause.message}): delete it as root`, { cause });
    });
}

function pathOf(folder: string, claim: string): string {
  return join(folder, 'volumes', claim);
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
