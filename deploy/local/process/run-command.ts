import { spawn } from 'node:child_process';
import type { Reaper } from './reaper-client.ts';
import { signalGroup } from './signal-group.ts';

interface CommandOptions {
  readonly reaper: Reaper;
  readonly signal?: AbortSignal | undefined;
  readonly cwd?: string;
  /** Time between SIGTERM and SIGKILL if the command is stopped, in milliseconds. */
  readonly graceMs?: number;
}

/** Time limit of a command, which is long enough for downloads. */
const DEADLINE_MS = 10 * 60_000;
const STOP_GRACE_MS = 5_000;

/**
 * Runs a command and returns its output. If it fails, throws an error with its last output lines. If `signal` is
 * aborted, throws the reason of the signal when the command and its children have ended.
 */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const stop = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(options.signal ? [options.signal] : [])]);
  stop.throwIfAborted();
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
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
  let timer: NodeJS.Timeout | undefined;
  function killGroup(): void {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    // A process outside of the group can keep the streams open.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }
  function stopGroup(): void {
    if (pid !== undefined) signalGroup(pid, 'SIGTERM');
    timer = setTimeout(killGroup, options.graceMs ?? STOP_GRACE_MS);
  }
  stop.addEventListener('abort', stopGroup);
  try {
    const ending = await new Promise<string>((resolve, reject) => {
      child.once('error', (error) => reject(toReadableError(command, error)));
      child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    // Children of the command can still be running, with closed streams.
    if (stop.aborted) killGroup();
    stop.throwIfAborted();
    if (ending !== 'exit code 0') throw new Error(`${command} ended with ${ending}:\n${lastLines(output)}`);
    return output;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', stopGroup);
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
