import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '@survey/local/process/write-private-file';
import { runProgram } from '../helm/tools.ts';

/** Environment variable that names the kubectl context that the cluster tests may use. */
const CONTEXT_VARIABLE = 'SURVEY_CLUSTER_CONTEXT';

export interface PinnedContext {
  /** Variables with which kubectl and helm know this one context and no other. */
  readonly variables: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Copies one kubectl context to a kubeconfig of its own. Throws when there is no such context. */
export async function pinContext(name: string): Promise<PinnedContext> {
  const view = ['config', 'view', '--raw', '--flatten', '--minify', '--context', name, '--output', 'json'];
  const { code, output, errors } = await runProgram('kubectl', view);
  if (code !== 0) throw new Error(`kubectl has no context ${name}: ${errors.trim()}`);
  const folder = await mkdtemp(join(tmpdir(), 'survey-kubeconfig-'));
  const file = join(folder, 'config');
  await writePrivateFile(file, { ...JSON.parse(output), 'current-context': name });
  return {
    variables: { KUBECONFIG: file, [CONTEXT_VARIABLE]: name },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Throws unless `npm run test:cluster` has named the context and kubectl uses it. */
export async function requirePinnedContext(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const name = env[CONTEXT_VARIABLE];
  if (!name) throw new Error('cluster tests need the name of a kubectl context: npm run test:cluster -- CONTEXT');
  const { output } = await runProgram('kubectl', ['config', 'current-context']);
  if (output.trim() !== name) throw new Error(`kubectl uses the context ${output.trim()}, not ${name}`);
}
