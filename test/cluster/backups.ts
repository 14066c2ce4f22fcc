import { poll } from '@survey/runtime/testing/poll';
import { withDatabase } from '../support/faults/mongodb.ts';
import { kubectl } from './commands.ts';

/** A folder in MongoDB's volume, which MongoDB ignores. */
const BACKUP = '/data/db/backup';
const COPY = `mkdir ${BACKUP} && cd /data/db && find . -mindepth 1 -maxdepth 1 ! -name backup ! -name mongod.lock -exec tar --create --file backup/files.tar {} +`;
const REPLACE = `cd /data/db && find . -mindepth 1 -maxdepth 1 ! -name backup -exec rm -r {} + && tar --extract --file backup/files.tar && rm -r backup`;
const POLL_OPTIONS = { timeoutMs: 180_000 };

/** Copies the files of the trial's MongoDB, as the guide says. */
export async function backUpMongodb(): Promise<void> {
  await withDatabase('admin', async (db) => {
    await db.command({ fsync: 1, lock: true });
    try {
      await kubectl(['exec', 'mongodb-0', '--', 'sh', '-c', COPY]);
    } finally {
      await db.command({ fsyncUnlock: 1 });
    }
  });
}

/** Starts the trial's MongoDB on the copied files. */
export async function restoreMongodb(): Promise<void> {
  await scaleMongodb(0);
  await kubectl(['wait', '--for=delete', 'pod/mongodb-0', '--timeout=180s']);
  await runOnVolume(REPLACE);
  await scaleMongodb(1);
  await kubectl(['rollout', 'status', 'statefulset/mongodb', '--timeout=180s']);
}

const scaleMongodb = (replicas: number) => kubectl(['scale', 'statefulset', 'mongodb', `--replicas=${replicas}`]);

/** Runs a script in a pod with the volume of MongoDB. */
async function runOnVolume(script: string): Promise<void> {
  const user = { runAsUser: 999, runAsGroup: 999, fsGroup: 999 };
  const container = {
    name: 'restore',
    image: 'mongo:8',
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-ec', script],
    volumeMounts: [{ name: 'data', mountPath: '/data/db' }],
  };
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-mongodb-0' } }];
  const spec = { securityContext: user, containers: [container], volumes, restartPolicy: 'Never' };
  await kubectl(['apply', '--filename', '-'], { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'restore' }, spec });
  const phase = await poll(async () => {
    const current = await kubectl(['get', 'pod', 'restore', '--output', 'jsonpath={.status.phase}']);
    return (current === 'Succeeded' || current === 'Failed') && current;
  }, POLL_OPTIONS);
  const logs = await kubectl(['logs', 'restore']);
  await kubectl(['delete', 'pod', 'restore']);
  if (phase === 'Failed') throw new Error(`cannot restore the files: ${logs}`);
}
