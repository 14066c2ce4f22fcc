import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type {} from './stack.ts';

const script = fileURLToPath(new URL('../../deploy/local/admin.ts', import.meta.url));

/** Runs `npm run admin` on the stack of the tests, and returns its output. Rejects if it fails. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
export async function admin(...args: readonly string[]): Promise<any> {
  const env = { ...process.env, LOCAL_DIR: inject('stackFolder') };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env });
  return JSON.parse(stdout);
}
