import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..');

/** The result of a command. */
export interface StepResult {
  readonly passed: boolean;
  /** Combined stdout and stderr. */
  readonly output: string;
}

/** Runs a tool of the repository (`node_modules/.bin`) or of the PATH in the root folder. `signal` sends SIGTERM. */
export function runTool(
  tool: string,
  args: readonly string[],
  options: {
    cwd?: string;
    show?: boolean;
    env?: Readonly<Record<string, string>>;
    signal?: AbortSignal | undefined;
  } = {},
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
      // A stopped process still emits `close`.
      if (child.pid === undefined) end(null);
    });
    child.on('close', end);
  });
}
