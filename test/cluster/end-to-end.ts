import { runTool } from '../support/run-step.ts';

/** End-to-end tests of what only the stack of one machine has, such as the logs and pages of its processes; or of a browser. */
const LOCAL = ['docs', 'fuzz', 'hostile-imports', 'limits', 'metrics', 'provoked-logs', 'trace'];
const SUM_LINES = 6;

/** Runs the others against the platform whose addresses and keys are in the folder. Throws with what failed. */
export async function runEndToEnd(folder: string, receiverHost: string): Promise<void> {
  const variables = [`SURVEY_STACK=${folder}`, `SURVEY_RECEIVER_HOST=${receiverHost}`];
  const excluded = LOCAL.flatMap((name) => ['--exclude', `**/${name}.e2e.test.ts`]);
  const { passed, output } = await runTool('env', [...variables, 'vitest', 'run', '--project', 'e2e', ...excluded]);
  if (!passed) throw new Error(output);
  console.log(output.trimEnd().split('\n').slice(-SUM_LINES).join('\n'));
}
