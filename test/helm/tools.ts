import { spawn } from 'node:child_process';
import { findOnPath } from '@survey/local/process/find-on-path';
import { root } from '../support/run-step.ts';

/** The programs that check the chart. */
export interface ChartTools {
  readonly helm: string;
  readonly unittest: string;
  readonly kubeconform: string;
}

/** The environment variable of each tool, and its name on the PATH. */
const PROGRAMS = {
  helm: ['HELM', 'helm'],
  unittest: ['HELM_UNITTEST', 'helm-unittest'],
  kubeconform: ['KUBECONFORM', 'kubeconform'],
} as const;

/** Finds the tools, or returns a message about missing ones. */
export function findChartTools(env: NodeJS.ProcessEnv = process.env): ChartTools | string {
  const found = Object.entries(PROGRAMS).map(([tool, [variable, name]]) => [
    tool,
    env[variable] || findOnPath(name, env),
  ]);
  const missing = Object.values(PROGRAMS).filter((_program, index) => found[index]?.[1] === undefined);
  // All tools were found.
  if (missing.length === 0) return Object.fromEntries(found) as ChartTools;
  const wanted = missing.map(([variable, name]) => `${name} (or ${variable}=PATH)`).join(', ');
  return `The chart is not checked: put on the PATH ${wanted}.`;
}

/** Finds the tools. Throws if one is missing. */
export function needChartTools(): ChartTools {
  const tools = findChartTools();
  if (typeof tools === 'string') throw new Error(tools);
  return tools;
}

/** The exit code and output of a program. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program in the root of the repository. */
export async function runProgram(program: string, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
  const written = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.errors += text;
  });
  // If the program ends before it has read the input, its exit code shows the problem.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...written };
}
