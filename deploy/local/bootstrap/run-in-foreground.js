import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const PARENT_POLL_MS = 250;

/**
 * Runs the real program in our place: same terminal, its exit code is ours, and it is asked to stop when we are, or
 * when npm, which started us, is killed. It can tell our own death by the end of its IPC channel.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  // A Ctrl-C reaches the whole foreground group, the child too: only one from elsewhere is passed on.
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

/** Only below npm, which waits for us: a shell may well end while what it started in the background goes on. */
function watchParent(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => process.ppid !== parent && onEnd(), PARENT_POLL_MS);
}
