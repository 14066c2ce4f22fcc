import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildWebApps } from '@survey/local/build-web-apps';
import { root, runTool } from '../support/run-step.ts';

/** End-to-end tests that need the local stack, such as its log files, or a browser. */
const LOCAL = ['browser-page', 'docs', 'fuzz', 'hostile-imports', 'limits', 'metrics', 'provoked-logs', 'trace'];
const SUM_LINES = 6;

/** Lists the paths of the other end-to-end tests. Vitest has no option to leave out files of a project. */
export function listEndToEndTests(): readonly string[] {
  const local = LOCAL.map((name) => `${name}.e2e.test.ts`);
  const names = readdirSync(join(root, 'test/e2e')).filter((name) => name.endsWith('.test.ts'));
  return names.filter((name) => !local.includes(name)).map((name) => join('test/e2e', name));
}

interface Options {
  readonly folder: string;
  readonly receiverHost: string;
}

/** Runs the other end-to-end tests against the platform of this folder. Throws with the output if they fail. */
export async function runEndToEnd({ folder, receiverHost }: Options): Promise<void> {
  // Some tests start a gateway of their own.
  await buildWebApps(console.log);
  const variables = [`SURVEY_STACK=${folder}`, `SURVEY_RECEIVER_HOST=${receiverHost}`];
  const args = ['vitest', 'run', '--project', 'e2e', ...listEndToEndTests()];
  const { passed, output } = await runTool('env', [...variables, ...args]);
  if (!passed) throw new Error(output);
  console.log(output.trimEnd().split('\n').slice(-SUM_LINES).join('\n'));
}
