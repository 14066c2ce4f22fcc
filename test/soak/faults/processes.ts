import type { Platform, SoakProcess } from '../platform.ts';
import type { Strike } from './strike.ts';

/** Kills a process, and keeps it stopped during the fault. */
export const kill: Strike = async (platform, { target }, wait) => {
  platform.setHeld(target, true);
  try {
    signal(findProcess(platform, target).pid(), 'SIGKILL');
    await wait();
  } finally {
    platform.setHeld(target, false);
  }
};

/** Suspends a process; its connections stay open without replies. */
export const stall: Strike = async (platform, { target }, wait) => {
  const { pid } = findProcess(platform, target);
  const stalled = pid();
  signal(stalled, 'SIGSTOP');
  try {
    await wait();
  } finally {
    // Another fault can have killed it, and its id can be reused.
    if (pid() === stalled) signal(stalled, 'SIGCONT');
  }
};

/** Shuts a server down gracefully, and keeps it stopped during the fault. */
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
  if (found === undefined) throw new Error(`unknown process ${name}`);
  return found;
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
