import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Scripts of a folder in processes of their own. */
export interface Scripts {
  start(script: string, ...args: readonly string[]): ChildProcess;
  /** Kills those that still run. */
  killAll(): Promise<void>;
}

/** @param beside address of a file in the folder; one in this folder when it is left out */
export function createScripts(beside: string = import.meta.url): Scripts {
  const children = new Map<ChildProcess, Promise<void>>();
  return {
    start(script, ...args) {
      const file = fileURLToPath(new URL(`${script}.ts`, beside));
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
