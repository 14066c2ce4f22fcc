import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/** The resident memory of a process in bytes (proc(5), `VmRSS` of `/proc/PID/status`). Throws without /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Samples the memory of a process; `stop` returns the maximum in bytes. */
export function watchMemory(pid: number) {
  const stopped = new AbortController();
  const watched = (async () => {
    let most = 0;
    while (!stopped.signal.aborted) {
      most = Math.max(most, await residentBytes(pid));
      await pause(LOOK_EVERY_MS);
    }
    return most;
  })();
  return {
    stop(): Promise<number> {
      stopped.abort();
      return watched;
    },
  };
}
