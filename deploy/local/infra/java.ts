import { join } from 'node:path';
import type { Host } from '../process/host.ts';
import { runCommand } from '../process/run-command.ts';

const OLDEST = 17;

/** For a broker that starts in seconds and leaves the machine to the services. */
export const javaFlags = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'] as const;

/** The command of a Java that Kafka runs on; an error that names what there is instead. */
export async function requireJava(host: Host, signal: AbortSignal | undefined): Promise<string> {
  const home = process.env.JAVA_HOME;
  const java = home ? join(home, 'bin', 'java') : 'java';
  const output = await runCommand(java, ['-version'], { reaper: host.reaper, signal });
  const major = Number(/version "(\d+)/.exec(output)?.[1]);
  if (!(major >= OLDEST)) throw new Error(`Java ${OLDEST} or later is needed; ${java} is ${output.split('\n', 1)[0]}`);
  return java;
}
