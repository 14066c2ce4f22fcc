import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { repositoryRoot } from '@survey/local/stack/folder';
import { type Command, toCommandLine } from './command.ts';
import { pinBase, requireDocker } from './image-commands.ts';

/** Runs a command in the foreground. Throws if it fails. */
export async function run(step: Command, signal?: AbortSignal): Promise<void> {
  console.error(`$ ${toCommandLine(step)}`);
  const child = spawn(step.command, step.args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...step.env },
    stdio: [step.input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    ...(signal === undefined ? {} : { signal }),
  });
  // Ignore write errors: if the command ends before it has read its input, its exit code shows the problem.
  child.stdin?.on('error', () => {}).end(step.input);
  const code = await new Promise((resolve, reject) => {
    child.once('error', () => reject(notInstalled(step.command)));
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  if (code !== 0) throw new Error(`${step.command} failed (${code})`);
}

/** Runs a command, and returns its output. Throws if it fails. */
export async function capture({ command, args }: Command): Promise<string> {
  try {
    return (await promisify(execFile)(command, args)).stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw notInstalled(command);
    throw error;
  }
}

const notInstalled = (command: string) => new Error(`${command} cannot be run: is it installed?`);

export async function runAll(steps: readonly Command[]): Promise<void> {
  for (const step of steps) await run(step);
}

/**
 * Runs builds of images one after the other, and reports the progress. Throws a message about Docker if it cannot
 * build.
 */
export async function runBuilds(steps: readonly Command[]): Promise<void> {
  await requireDocker(capture);
  for (const [index, step] of steps.entries()) {
    console.error(`image ${index + 1} of ${steps.length}; the first one takes minutes`);
    await run(step);
  }
}

/**
 * Finds the base image to build on.
 *
 * @param options.unpinned returns the name without a digest, for use without a registry
 */
export async function findBase({
  base,
  unpinned,
}: {
  readonly base: string;
  readonly unpinned: boolean;
}): Promise<string> {
  if (unpinned) return base;
  try {
    return await pinBase(base, capture);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trimEnd().split('\n').at(-1) : String(cause);
    const remedy = 'use --base IMAGE@sha256:…, or --unpinned';
    throw new Error(`cannot find the digest of ${base} (${reason}): ${remedy}`, { cause });
  }
}
