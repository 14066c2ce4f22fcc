#!/usr/bin/env node
import { runCli } from './run-cli.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
// Stop if a program that reads the output, such as `head`, closes the pipe.
process.stdout.on('error', () => interrupted.abort());
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
});
