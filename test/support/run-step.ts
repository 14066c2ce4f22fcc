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

/** Runs a tool of the repository (`node_modules/.bin`), or one on the PATH, from its root. */
export function runTool(
  tool: string,
  args: readonly string[],
  options: { cwd?: string; show?: boolean; env?: Readonly<Record<string, string>> } = {},
): Promise<StepResult> {
  const env = { ...process.env, ...options.env };
  return new Promise((resolve) => {
    const child = spawn(tool, args, {
      env: { ...env, PATH: `${join(root, 'node_modules/.bin')}:${env['PATH']}` },
      cwd: options.cwd ?? root,
      stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ passed: false, output: `${error.message}\n` }));
    child.on('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}
