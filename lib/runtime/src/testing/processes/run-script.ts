import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processEnv } from './process-env.ts';

/** Exit code and output of a process. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** Sent to the process when its standard output contains the text `signalAfter`. */
  readonly signal?: NodeJS.Signals | undefined;
  /** Default: the log line "started". */
  readonly signalAfter?: string;
}

/** Runs a script of this folder until it ends. Its variables are only those of `processEnv`. */
export function runScript(
  script: string,
  { env = {}, args = [], nodeArgs = [], signal, signalAfter = '"msg":"started"' }: Options,
): Promise<Ended> {
  const file = fileURLToPath(new URL(`${script}.ts`, import.meta.url));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...nodeArgs, file, ...args], { env: processEnv(env) });
    let [out, err] = ['', ''];
    let isSignalled = signal === undefined;
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (isSignalled || !out.includes(signalAfter)) return;
      isSignalled = true;
      child.kill(signal);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}
