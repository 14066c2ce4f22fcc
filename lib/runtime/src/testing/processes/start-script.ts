import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts scripts in their own processes. */
export interface Scripts {
  start(script: string, ...args: readonly string[]): ChildProcess;
  killAll(): Promise<void>;
}

/** @param beside URL of a file in the folder of the scripts; default: this folder */
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
