import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const PARENT_POLL_MS = 250;

/**
 * Runs a program in the foreground and returns its exit code. Stops the program when this process is stopped, or when
 * its parent, npm, is killed. If this process dies, the program's IPC channel closes.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  // In a terminal, Ctrl-C already signals the program too. Forward the signal only without a terminal.
  const interrupt = () => void (process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', stop).on('SIGHUP', stop).on('SIGINT', interrupt);
  const timer = watchParent(stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', () => reject(new Error(`${command} cannot be run on this machine; install Node 24`)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    clearInterval(timer);
    process.off('SIGTERM', stop).off('SIGHUP', stop).off('SIGINT', interrupt);
  }
}

/** Watches npm, which normally waits for this process. A shell is not watched: its background jobs may outlive it. */
function watchParent(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    // Once: a second signal can end the program in the middle of its cleanup.
    clearInterval(timer);
    onEnd();
  }, PARENT_POLL_MS);
  return timer;
}
