import { runTool } from '../support/run-step.ts';

/** End-to-end tests that need the local stack, such as its log files, or a browser. */
const LOCAL = ['browser-page', 'docs', 'fuzz', 'hostile-imports', 'limits', 'metrics', 'provoked-logs', 'trace'];
const SUM_LINES = 6;

/** Runs the other end-to-end tests against the platform of this folder. Throws with the output if they fail. */
export async function runEndToEnd(folder: string, receiverHost: string): Promise<void> {
  const variables = [`SURVEY_STACK=${folder}`, `SURVEY_RECEIVER_HOST=${receiverHost}`];
  const excluded = LOCAL.flatMap((name) => ['--exclude', `**/${name}.e2e.test.ts`]);
  const { passed, output } = await runTool('env', [...variables, 'vitest', 'run', '--project', 'e2e', ...excluded]);
  if (!passed) throw new Error(output);
  console.log(output.trimEnd().split('\n').slice(-SUM_LINES).join('\n'));
}
