import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../run-cli.ts';

/** The exit code and the output of a command. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** Runs a command in the process of the test, which takes less time than another process. */
export async function runInProcess(
  words: readonly string[],
  { env, signal = new AbortController().signal }: Options,
): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli(words, { env, stdin: Readable.from([]), stdout, stderr, signal });
  stdout.end();
  stderr.end();
  const [printed, noted] = await outputs;
  return { code, stdout: printed, stderr: noted };
}
