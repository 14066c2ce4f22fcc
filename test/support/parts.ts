import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPaths } from '@survey/local/stack/folder';
import { loadStackInfo, type StackInfo } from '@survey/local/stack/stack-file';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import type {} from './stack.ts';

/** A part of the stack that tests take away. */
export type Part = 'gateway' | 'identity' | 'survey' | 'response' | 'import' | 'webhook' | 'mongodb' | 'kafka';

const PATIENCE = { timeoutMs: 60_000 };

/** The process that a part runs as now: parts that die come back as other ones. */
async function pidOf(part: Part): Promise<number> {
  const pid = pidIn(await loadStackInfo(inject('stackFolder')), part);
  if (pid === undefined) throw new Error(`${part} is no process of the stack`);
  return pid;
}

/** Kills a part, and resolves when another process of it is ready. */
export async function killPart(part: Part): Promise<void> {
  const pid = await pidOf(part);
  process.kill(pid, 'SIGKILL');
  await untilBack(part, pid);
}

/** Kills parts, keeps them away until `work` is done, and resolves when all of them are back. */
export async function whileStopped(parts: readonly Part[], work: () => Promise<void>): Promise<void> {
  const pids = new Map(await Promise.all(parts.map(async (part) => [part, await pidOf(part)] as const)));
  const { held } = toPaths(inject('stackFolder'));
  await mkdir(held, { recursive: true });
  try {
    for (const part of parts) await writeFile(join(held, part), '');
    for (const pid of pids.values()) process.kill(pid, 'SIGKILL');
    for (const pid of pids.values()) await poll(() => isGone(pid));
    await work();
  } finally {
    for (const part of parts) await rm(join(held, part), { force: true });
    await Promise.all([...pids].map(([part, pid]) => untilBack(part, pid)));
  }
}

/** Keeps parts from running while `work` does; they hold their connections and answer nothing. */
export async function whileHanging(parts: readonly Part[], work: () => Promise<void>): Promise<void> {
  const pids = await Promise.all(parts.map(pidOf));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

async function untilBack(part: Part, before: number): Promise<void> {
  await poll(async () => {
    const info = await loadStackInfo(inject('stackFolder'));
    if (pidIn(info, part) === before) return false;
    const { admin } = info.services[part] ?? {};
    // MongoDB and Kafka are in the file again only when they are ready.
    return admin === undefined || (await fetch(`${admin}/readyz`)).ok;
  }, PATIENCE);
}

function pidIn(info: StackInfo, part: Part): number | undefined {
  return part === 'mongodb' || part === 'kafka' ? info[part].pid : info.services[part]?.pid;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
