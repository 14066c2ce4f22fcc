import { join } from 'node:path';
import { root } from '../support/run-step.ts';
import { runProgram } from './tools.ts';

/** The variables in the `--help` of a process. */
export async function knownVariables(name: string): Promise<ReadonlySet<string>> {
  const folder = name === 'gateway' ? 'gateway' : `services/${name}`;
  const { output } = await runProgram(process.execPath, [join(root, folder, 'src/main.ts'), '--help']);
  const lines = output.matchAll(/^([A-Z][A-Z0-9_]*) \(.*?\)(?:, or ([A-Z0-9_]+))?$/gm);
  return new Set([...lines].flatMap(([, variable = '', file]) => (file === undefined ? [variable] : [variable, file])));
}

/** Whether a variable belongs to Node.js, OpenTelemetry or glibc. */
export function isOfOthers(variable: string): boolean {
  return /^(NODE_|OTEL_|MALLOC_)/.test(variable);
}
