import type { Platform, SoakProcess } from '../platform.ts';
import type { Strike } from './strike.ts';

/** Kills a process, and keeps it away for the time of the fault. */
export const kill: Strike = async (platform, { target }, wait) => {
  platform.setHeld(target, true);
  try {
    signal(findProcess(platform, target).pid(), 'SIGKILL');
    await wait();
  } finally {
    platform.setHeld(target, false);
  }
};

/** Stops a process from running; it holds its connections and answers nothing. */
export const stall: Strike = async (platform, { target }, wait) => {
  const { pid } = findProcess(platform, target);
  const stalled = pid();
  signal(stalled, 'SIGSTOP');
  try {
    await wait();
  } finally {
    // Another fault may have killed it, and its id may be another process's by now.
    if (pid() === stalled) signal(stalled, 'SIGCONT');
  }
};

/** Ends a server in good order, and keeps it away for the time of the fault. */
export const restart: Strike = async (platform, { target }, wait) => {
  platform.setHeld(target, true);
  try {
    signal(findProcess(platform, target).pid(), 'SIGTERM');
    await wait();
  } finally {
    platform.setHeld(target, false);
  }
};

function findProcess({ processes }: Platform, name: string): SoakProcess {
  const found = processes.find((process) => process.name === name);
  if (found === undefined) throw new Error(`there is no process ${name}`);
  return found;
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended by itself or by another fault.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
