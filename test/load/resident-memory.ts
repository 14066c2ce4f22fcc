import { readFile } from 'node:fs/promises';

/** Memory of a process that is in RAM, in bytes (proc(5), `VmRSS` of `/proc/PID/status`). Throws on systems without /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
