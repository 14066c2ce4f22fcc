import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Reaper {
  readonly pid: number;
  /** Names a process, leader of a group of its own, that must not outlive us. */
  readonly watch: (pid: number) => void;
  readonly forget: (pid: number) => void;
  /** Names a file that must not outlive us. */
  readonly removeAtEnd: (path: string) => void;
  /** Lets it go; it ends whatever is still watched first. Resolves when it has. */
  readonly close: () => Promise<void>;
}

/** Starts the process that cleans up after us, even when we are killed: the end of its input is the end of us. */
export function startReaper(): Reaper {
  const child = spawn(process.execPath, [fileURLToPath(new URL('reaper.js', import.meta.url))], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid, stdin } = child;
  if (pid === undefined) throw new Error('the clean-up process could not be started');
  // A write to a reaper that someone killed fails; there is nobody left to tell.
  stdin.on('error', () => {});
  child.unref();
  const send = (line: string) => void stdin.write(`${line}\n`);
  return {
    pid,
    watch: (watched) => send(`watch ${watched}`),
    forget: (watched) => send(`forget ${watched}`),
    removeAtEnd: (path) => send(`remove ${path}`),
    close: () => {
      child.ref();
      stdin.end();
      return exited;
    },
  };
}
