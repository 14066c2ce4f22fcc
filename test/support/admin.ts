import { parseCommandLine } from '@survey/local/process/command-line';
import { options } from '@survey/tools/admin/command';
import { runAdminCommand } from '@survey/tools/admin/run-admin-command';
import { inject } from 'vitest';
import type {} from './stack.ts';

/**
 * Runs a command of `npm run admin` on the stack of the tests, in the process of the test, and returns its output.
 * Rejects if it fails.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
export async function admin(...args: readonly string[]): Promise<any> {
  // All files of a run use the same stack.
  process.env['LOCAL_DIR'] = inject('stackFolder');
  const result = await runAdminCommand(parseCommandLine({ args: [...args], options, allowPositionals: true }));
  return JSON.parse(typeof result === 'string' ? result : JSON.stringify(result));
}
