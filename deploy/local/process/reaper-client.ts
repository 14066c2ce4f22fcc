import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Reaper {
  readonly pid: number;
  /** Registers a process to end when we end. It must be the leader of its process group. */
  readonly watch: (pid: number) => void;
  readonly forget: (pid: number) => void;
  /** Registers a file or folder to delete when we have ended, and all registered processes. */
  readonly removeAtEnd: (path: string) => void;
  /** Ends the reaper, which first ends all registered processes. Resolves when it has ended. */
  readonly close: () => Promise<void>;
}

/** Starts a process that cleans up after us, even if we are killed: it acts when its input ends. */
export function startReaper(): Reaper {
  const child = spawn(process.execPath, [fileURLToPath(new URL('reaper.js', import.meta.url))], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid, stdin } = child;
  if (pid === undefined) throw new Error('cannot start the reaper process');
  // Ignore write errors: they mean that someone has killed the reaper.
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
