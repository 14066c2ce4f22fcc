import { readFile } from 'node:fs/promises';

/** `USER_HZ` of Linux on all platforms of Node.js. */
const TICKS_PER_SECOND = 100;

/**
 * The CPU seconds (user and system) of a process with all threads (proc(5), `/proc/PID/stat`). Throws without /proc.
 */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses can contain anything; the following fields start with number 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) / TICKS_PER_SECOND;
}
