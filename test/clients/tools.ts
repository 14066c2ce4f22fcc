import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { download } from '@survey/local/infra/cache';
import { runTool } from '../support/run-step.ts';

/** A command with its arguments. */
export type Command = readonly [string, ...string[]];

/** Runs a command, and returns its output. Throws with the output if it fails. */
export async function run(
  [tool, ...args]: Command,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const { passed, output } = await runTool(tool, args, options);
  if (!passed) throw new Error(`${tool} ${args.join(' ')}:\n${output}`);
  return output;
}

/** Installs tools once for each content of a file with pinned versions. Returns their folder. */
export async function installOnce(
  name: string,
  pinned: string,
  install: (into: string) => Promise<unknown>,
): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(pinned))
    .digest('hex')
    .slice(0, 12);
  const fetch = async (into: string) => {
    await install(into);
  };
  return download({ name: `${name}-${digest}`, fetch, log: console.log });
}

/** Throws if a command that shows a version is not there. */
export async function requireTools(...commands: readonly Command[]): Promise<void> {
  for (const command of commands) await run(command, { cwd: import.meta.dirname });
}

/** The path of a file beside this one. */
export const fileOf = (...path: readonly string[]) => join(import.meta.dirname, ...path);
