import { spawn } from 'node:child_process';
import type { Reaper } from './reaper-client.ts';

interface CommandOptions {
  readonly reaper: Reaper;
  readonly signal?: AbortSignal | undefined;
  readonly cwd?: string;
}

/** Time limit of a command, which is long enough for downloads. */
const DEADLINE_MS = 10 * 60_000;

/** Runs a command and returns its output. Throws an error with its last output lines if it fails. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(options.signal ? [options.signal] : [])]),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const { pid } = child;
  if (pid !== undefined) options.reaper.watch(pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(toReadableError(command, error)));
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`${command} ended with exit code ${code}:\n${lastLines(output)}`);
    return output;
  } finally {
    if (pid !== undefined) options.reaper.forget(pid);
  }
}

function toReadableError(command: string, error: Error): Error {
  const missing = 'code' in error && error.code === 'ENOENT';
  return missing ? new Error(`${command} is not installed`, { cause: error }) : error;
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-6).join('\n');
}
