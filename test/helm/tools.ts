import { spawn } from 'node:child_process';
import { findOnPath } from '@survey/local/process/find-on-path';
import { root } from '../support/run-step.ts';

/** The programs that check the chart. */
export interface ChartTools {
  readonly helm: string;
  readonly unittest: string;
  readonly kubeconform: string;
}

/** A variable that names each, and what it is called on the PATH. */
const PROGRAMS = {
  helm: ['HELM', 'helm'],
  unittest: ['HELM_UNITTEST', 'helm-unittest'],
  kubeconform: ['KUBECONFORM', 'kubeconform'],
} as const;

/** The tools, or a message that says which are not there and what to do. */
export function findChartTools(env: NodeJS.ProcessEnv = process.env): ChartTools | string {
  const found = Object.entries(PROGRAMS).map(([tool, [variable, name]]) => [
    tool,
    env[variable] || findOnPath(name, env),
  ]);
  const missing = Object.values(PROGRAMS).filter((_program, index) => found[index]?.[1] === undefined);
  // Each has been found.
  if (missing.length === 0) return Object.fromEntries(found) as ChartTools;
  const wanted = missing.map(([variable, name]) => `${name} (or ${variable}=PATH)`).join(', ');
  return `The chart is not checked: put on the PATH ${wanted}.`;
}

/** The tools; throws when one is not there. */
export function needChartTools(): ChartTools {
  const tools = findChartTools();
  if (typeof tools === 'string') throw new Error(tools);
  return tools;
}

/** What became of a program: its exit code and what it wrote. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program from the root of the repository to its end. */
export async function runProgram(program: string, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
  const written = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.errors += text;
  });
  // A program that ends before it has read all is seen by its exit code.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...written };
}
