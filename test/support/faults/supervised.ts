import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPaths } from '@survey/local/stack/folder';
import { loadStackInfo } from '@survey/local/stack/stack-file';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import type {} from '../stack.ts';

/** A process that is restarted when it ends, unless it is held. */
export interface Supervised {
  readonly name: string;
  /** The current process id, which changes with each restart. */
  pid(): Promise<number>;
  /** The base URL of the admin port. A process without one is ready when it runs. */
  readonly admin: string | undefined;
}

/** Kills a process, and resolves when its replacement is ready. */
export async function kill(one: Supervised): Promise<void> {
  const pid = await one.pid();
  process.kill(pid, 'SIGKILL');
  await untilBack(one, pid);
}

/** Kills processes, keeps them stopped until `work` is done, and resolves when all are ready again. */
export async function whileAway(all: readonly Supervised[], work: () => Promise<void>): Promise<void> {
  const pids = new Map(await Promise.all(all.map(async (one) => [one, await one.pid()] as const)));
  const { held } = toPaths(inject('stackFolder'));
  await mkdir(held, { recursive: true });
  try {
    for (const { name } of all) await writeFile(join(held, name), '');
    for (const pid of pids.values()) process.kill(pid, 'SIGKILL');
    for (const pid of pids.values()) await poll(() => isGone(pid));
    await work();
  } finally {
    for (const { name } of all) await rm(join(held, name), { force: true });
    await Promise.all([...pids].map(([one, pid]) => untilBack(one, pid)));
  }
}

/** Suspends processes while `work` runs; their connections stay open without replies. */
export async function whileStalled(all: readonly Supervised[], work: () => Promise<void>): Promise<void> {
  const pids = await Promise.all(all.map((one) => one.pid()));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

async function untilBack({ pid, admin }: Supervised, before: number): Promise<void> {
  await poll(async () => (await pid()) !== before && (admin === undefined || (await fetch(`${admin}/readyz`)).ok));
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** A process of the stack that tests can stop. */
export type StackProcess = 'gateway' | 'identity' | 'survey' | 'response' | 'import' | 'webhook' | 'mongodb' | 'kafka';

/** Kills a process, and resolves when its replacement is ready. */
export const killProcess = (part: StackProcess): Promise<void> => kill(toSupervised(part));

/** Kills processes, keeps them stopped until `work` is done, and resolves when all are ready again. */
export const whileStopped = (parts: readonly StackProcess[], work: () => Promise<void>): Promise<void> =>
  whileAway(parts.map(toSupervised), work);

/** Suspends processes while `work` runs; their connections stay open without replies. */
export const whileHanging = (parts: readonly StackProcess[], work: () => Promise<void>): Promise<void> =>
  whileStalled(parts.map(toSupervised), work);

export function toSupervised(part: StackProcess): Supervised {
  return {
    name: part,
    async pid() {
      const info = await loadStackInfo(inject('stackFolder'));
      // The file has MongoDB and Kafka again only when they are ready.
      const pid = part === 'mongodb' || part === 'kafka' ? info[part].pid : info.services[part]?.pid;
      if (pid === undefined) throw new Error(`${part} is not a process of the stack`);
      return pid;
    },
    admin: inject('stack').services[part]?.admin,
  };
}
