import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Scripts of this folder in processes of their own. */
export interface Scripts {
  start(script: string, ...args: readonly string[]): ChildProcess;
  /** Kills those that still run. */
  killAll(): Promise<void>;
}

export function createScripts(): Scripts {
  const children = new Map<ChildProcess, Promise<void>>();
  return {
    start(script, ...args) {
      const file = fileURLToPath(new URL(`${script}.ts`, import.meta.url));
      const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
      children.set(child, new Promise((resolve) => child.once('exit', () => resolve())));
      return child;
    },
    async killAll() {
      for (const child of children.keys()) child.kill('SIGKILL');
      await Promise.all(children.values());
      children.clear();
    },
  };
}
