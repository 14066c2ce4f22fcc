import { readdir, readFile } from 'node:fs/promises';

/** The number of open files and sockets of a process (proc(5), `/proc/PID/fd`). Throws without /proc. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** The limit of open files. */
export async function mostOpenFiles(pid: number): Promise<number> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  const most = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return most === 'unlimited' ? Number.POSITIVE_INFINITY : Number(most);
}
