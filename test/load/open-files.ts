import { readdir, readFile } from 'node:fs/promises';

/** How many files and sockets a process has open (proc(5), `/proc/PID/fd`). Throws on systems without /proc. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** How many it may have open. */
export async function mostOpenFiles(pid: number): Promise<number> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  const most = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return most === 'unlimited' ? Number.POSITIVE_INFINITY : Number(most);
}
