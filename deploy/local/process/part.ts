import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reaper } from './reaper-client.ts';

interface PartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Gets the standard output and error. */
  readonly logFile: string;
  /** Keep what the log file holds, as for a part that is started again. */
  readonly appendLog?: boolean;
  readonly reaper: Reaper;
}

export interface Part {
  readonly pid: number;
  /** Resolves, and never rejects, with a text such as "exit code 1" or "SIGKILL". */
  readonly exited: Promise<string>;
  /** Asks it to stop, then kills it; resolves when it is gone. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** Milliseconds that a part gets between SIGTERM and SIGKILL. */
const STOP_GRACE_MS = 10_000;

/** Starts a process in a group of its own, so that a Ctrl-C does not reach it before we stop the parts in order. */
export function startPart(options: PartOptions): Part {
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
    // The reason (ENOENT, EACCES) follows as an event, which must have a listener.
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
  return {
    pid,
    exited,
    stop: async (graceMs = STOP_GRACE_MS) => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** The end of a part's log, for a message that says why it did not start. */
export function readLogTail(logFile: string, lines = 12): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
