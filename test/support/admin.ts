import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type {} from './stack.ts';

const script = fileURLToPath(new URL('../../deploy/local/admin.ts', import.meta.url));

/** Gives what `npm run admin` prints, on the stack of the tests. Rejects when it fails. */
// Tests assert what they need of it.
// biome-ignore lint/suspicious/noExplicitAny: see above
export async function admin(...args: readonly string[]): Promise<any> {
  const env = { ...process.env, LOCAL_DIR: inject('stackFolder') };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env });
  return JSON.parse(stdout);
}
