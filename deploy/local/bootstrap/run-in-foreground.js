import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const PARENT_POLL_MS = 250;

/**
 * Runs the actual program in the foreground and returns its exit code. It is stopped when we are, or when npm, our
 * parent, is killed. If we die, its IPC channel ends.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  // In a terminal, Ctrl-C signals the whole process group, so forward it only without one.
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

/** Only below npm, which waits for us. A shell may end while its background jobs continue. */
function watchParent(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => process.ppid !== parent && onEnd(), PARENT_POLL_MS);
}
