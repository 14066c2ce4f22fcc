import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '@survey/local/process/files';
import { toPaths } from '@survey/local/stack/folder';
import { applyManifests, applyTrial, removeAll } from '@survey/tools/cluster/chart-commands';
import { NAMESPACE } from '@survey/tools/cluster/names';
import { toTrialSecrets } from '@survey/tools/cluster/secrets';
import { createVolumes, removeVolumes } from '@survey/tools/cluster/volumes';
import type { TestProject } from 'vitest/node';
import { runProgram } from '../helm/tools.ts';
import { exposeProcesses, findOwnAddress } from './addresses.ts';
import { createCertificates } from './certificates.ts';
import { install, writeValues } from './chart.ts';
import { apply, kubectl, list, run } from './commands.ts';
import { requirePinnedContext } from './context.ts';
import { transferImages } from './images.ts';

/** Whether the cluster has a metrics server, which autoscaling needs. */
async function hasPodMetrics(): Promise<boolean> {
  const { code } = await runProgram('kubectl', ['top', 'nodes']);
  if (code !== 0) console.warn('the cluster has no pod metrics: autoscaling is not tested');
  return code === 0;
}

/** Creates volumes for MongoDB and Kafka if the cluster cannot, like `npm run cluster -- up`. */
async function ensureVolumes(folder: string): Promise<void> {
  if ((await list('storageclasses')).length > 0) return;
  await apply(await createVolumes(folder));
}

/** Installs the platform with the commands of `npm run cluster`, and removes it with its data. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await requirePinnedContext();
  if ((await kubectl(['get', 'namespace', NAMESPACE, '--ignore-not-found', '--output', 'name'])) !== '')
    throw new Error(`the namespace ${NAMESPACE} exists; the tests must create it, and delete it with its content`);
  const folder = await mkdtemp(join(tmpdir(), 'survey-cluster-'));
  // Runs all steps, even if one fails.
  const remove = async () => {
    await using steps = new AsyncDisposableStack();
    steps.defer(() => rm(folder, { recursive: true, force: true }));
    for (const step of [...removeAll(), removeVolumes].toReversed()) steps.defer(async () => void (await run(step)));
  };
  try {
    await transferImages(folder);
    const address = await findOwnAddress();
    const { keys, stackFile } = toPaths(folder);
    await run(applyManifests(await toTrialSecrets(keys, NAMESPACE)));
    await createCertificates(folder);
    await ensureVolumes(folder);
    await run(applyTrial());
    await writeValues(folder, address);
    await install(folder, { built: 'first', responses: 1 });
    const info = await exposeProcesses();
    await writePrivateFile(stackFile, info);
    project.provide('stack', info);
    project.provide('stackFolder', folder);
    project.provide('receiverHost', address);
    project.provide('podMetrics', await hasPodMetrics());
    return remove;
  } catch (cause) {
    const pods = await kubectl(['get', 'pods', '--output', 'wide']).catch(String);
    const rest = await remove().then(
      () => '',
      (error: unknown) => `, and cannot remove it: ${error}`,
    );
    throw new Error(`cannot install the platform${rest}; its pods:\n${pods}`, { cause });
  }
}
