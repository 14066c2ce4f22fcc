import type { Command } from '@survey/tools/cluster/command';
import { NAMESPACE } from '@survey/tools/cluster/names';
import { runProgram } from '../helm/tools.ts';

/** Runs a command in the root of the repository and returns its output. Throws with its error output. */
export async function run({ command, args, input }: Omit<Command, 'env'>): Promise<string> {
  const { code, output, errors } = await runProgram(command, args, input);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed (${code}): ${errors}${output}`);
  return output;
}

/** Runs kubectl in the namespace of the platform. */
export function kubectl(args: readonly string[], input?: object): Promise<string> {
  const text = input === undefined ? {} : { input: JSON.stringify(input) };
  return run({ command: 'kubectl', args: ['--namespace', NAMESPACE, ...args], ...text });
}

/** Lists objects by arguments of kubectl. */
export async function list<T>(...args: readonly string[]): Promise<readonly T[]> {
  const { items } = JSON.parse(await kubectl(['get', ...args, '--output', 'json']));
  return items;
}

export async function apply(items: readonly object[]): Promise<void> {
  await kubectl(['apply', '--filename', '-'], { apiVersion: 'v1', kind: 'List', items });
}
