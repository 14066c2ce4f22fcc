import { readFile } from 'node:fs/promises';

/** `USER_HZ` of Linux on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds, user and system, that a process has used so far, with all of its threads (proc(5), `/proc/PID/stat`).
 * Throws on systems without /proc.
 */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything; the fields after it are counted from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) / TICKS_PER_SECOND;
}
