import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Root of the repository. */
export const root = join(import.meta.dirname, '../..');

/** What became of one command. */
export interface StepResult {
  readonly passed: boolean;
  /** What it wrote, both streams together. */
  readonly output: string;
}

/** Runs a tool of the repository (`node_modules/.bin`), or one on the PATH, from its root. `signal` stops it by SIGTERM. */
export function runTool(
  tool: string,
  args: readonly string[],
  options: { cwd?: string; show?: boolean; env?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
): Promise<StepResult> {
  const env = { ...process.env, ...options.env };
  return new Promise((resolve) => {
    const child = spawn(tool, args, {
      env: { ...env, PATH: `${join(root, 'node_modules/.bin')}:${env['PATH']}` },
      cwd: options.cwd ?? root,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    let failure: Error | undefined;
    const end = (code: number | null) => {
      const output = Buffer.concat(chunks).toString();
      resolve({
        passed: code === 0 && failure === undefined,
        output: failure ? `${output}${failure.message}\n` : output,
      });
    };
    child.on('error', (error) => {
      failure = error;
      // One that was stopped ends later, and closes then.
      if (child.pid === undefined) end(null);
    });
    child.on('close', end);
  });
}
