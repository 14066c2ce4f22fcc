import { type Command, NAMESPACE } from '@survey/local/cluster/plan';
import { runProgram } from '../helm/tools.ts';

/** Runs a command from the root of the repository; gives what it wrote. Throws with what it said when it fails. */
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

/** What there is of a kind, by kubectl's arguments. */
export async function list<T>(...args: readonly string[]): Promise<readonly T[]> {
  const { items } = JSON.parse(await kubectl(['get', ...args, '--output', 'json']));
  return items;
}

export async function apply(items: readonly object[]): Promise<void> {
  await kubectl(['apply', '--filename', '-'], { apiVersion: 'v1', kind: 'List', items });
}
