import { join } from 'node:path';
import type { Host } from '../process/host.ts';
import { runCommand } from '../process/run-command.ts';

const MIN_VERSION = 17;

/** Flags for a fast start and low use of memory and CPU. */
export const javaFlags = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'] as const;

/** Returns the command of a Java that can run Kafka. Throws an error that names the found version if it is too old. */
export async function requireJava(host: Host, signal: AbortSignal | undefined): Promise<string> {
  const home = process.env.JAVA_HOME;
  const java = home ? join(home, 'bin', 'java') : 'java';
  const output = await runCommand(java, ['-version'], { reaper: host.reaper, signal });
  const major = Number(/version "(\d+)/.exec(output)?.[1]);
  if (!(major >= MIN_VERSION))
    throw new Error(`Java ${MIN_VERSION} or later is needed; ${java} is ${output.split('\n', 1)[0]}`);
  return java;
}
