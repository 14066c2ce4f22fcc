import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/** Memory of a process that is in RAM, in bytes (proc(5), `VmRSS` of `/proc/PID/status`). Throws on systems without /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Looks at a process from now on; `stop` gives the most that it had in RAM, in bytes. */
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
