import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reaper } from './reaper-client.ts';
import { signalGroup } from './signal-group.ts';

interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** File for standard output and error. */
  readonly logFile: string;
  /** Whether to append to the log file, as for a restart. */
  readonly appendLog?: boolean;
  readonly reaper: Reaper;
}

export interface ManagedProcess {
  readonly pid: number;
  /** Resolves, and never rejects, with a text such as "exit code 1" or "SIGKILL". */
  readonly exited: Promise<string>;
  /** Sends SIGTERM to it and its children, then SIGKILL after the grace period. Resolves when the process has ended. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const STOP_GRACE_MS = 10_000;

/** Starts a process in its own process group, so that Ctrl-C does not reach it: we stop all processes in order. */
export function startProcess(options: ProcessOptions): ManagedProcess {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, options.appendLog ? 'a' : 'w', 0o600);
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    // Node reports the reason (ENOENT, EACCES) in a later `error` event, which would crash this process without a
    // listener.
    child.once('error', () => {});
    throw new Error(`${options.command} cannot be run`);
  }
  options.reaper.watch(pid);
  const exited = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => {
      options.reaper.forget(pid);
      resolve(signal ?? `exit code ${code}`);
    }),
  );
  /**
   * Signals the process and its children. Does nothing after the process has ended: its group id can then belong to
   * others.
   */
  function signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (pid !== undefined && child.exitCode === null && child.signalCode === null) signalGroup(pid, signal);
  }
  return {
    pid,
    exited,
    stop: async (graceMs = STOP_GRACE_MS) => {
      signalAll('SIGTERM');
      const timer = setTimeout(() => signalAll('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** The last lines of a log, for an error message. */
export function readLogTail(logFile: string, lines = 12): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
