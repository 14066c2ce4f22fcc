import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '@survey/local/process/files';
import { runProgram } from '../helm/tools.ts';

/** The environment variable with the name of the kubectl context for cluster tests. */
const CONTEXT_VARIABLE = 'SURVEY_CLUSTER_CONTEXT';

export interface PinnedContext {
  /** Environment variables that restrict kubectl and helm to this context. */
  readonly variables: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Copies a kubectl context to a separate kubeconfig. Throws if it does not exist. */
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

/** Throws unless kubectl uses the context given to `npm run test:cluster`. */
export async function requirePinnedContext(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const name = env[CONTEXT_VARIABLE];
  if (!name) throw new Error('cluster tests need the name of a kubectl context: npm run test:cluster -- CONTEXT');
  const { output } = await runProgram('kubectl', ['config', 'current-context']);
  if (output.trim() !== name) throw new Error(`kubectl uses the context ${output.trim()}, not ${name}`);
}
