import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPaths } from '@survey/local/stack/folder';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import type {} from './stack.ts';

/** A process that is started again whenever it ends, unless it is held. */
export interface Supervised {
  readonly name: string;
  /** The process that it runs as now: those that die come back as other ones. */
  pid(): Promise<number>;
  /** Base URL of its admin port; what has none is ready when it has a process. */
  readonly admin: string | undefined;
}

const PATIENCE = { timeoutMs: 60_000 };

/** Kills it, and resolves when another process of it is ready. */
export async function kill(one: Supervised): Promise<void> {
  const pid = await one.pid();
  process.kill(pid, 'SIGKILL');
  await untilBack(one, pid);
}

/** Kills them, keeps them away until `work` is done, and resolves when all of them are back. */
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

/** Keeps them from running while `work` does; they hold their connections and answer nothing. */
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
  await poll(
    async () => (await pid()) !== before && (admin === undefined || (await fetch(`${admin}/readyz`)).ok),
    PATIENCE,
  );
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
