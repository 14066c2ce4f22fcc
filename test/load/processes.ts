// Starts processes of benches, and reads the usage of processes from /proc (proc(5)). Throws without /proc.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from './figures.ts';

/** `USER_HZ` of Linux on all platforms of Node.js. */
const TICKS_PER_SECOND = 100;
const SAMPLE_EVERY_MS = 100;

/** Process ids by name. */
export type Pids = ReadonlyMap<string, number>;

/** The CPU seconds (user and system) of a process with all threads. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses can contain anything; the following fields start with number 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) / TICKS_PER_SECOND;
}

/** The CPU seconds of each process since its start. */
export async function readCpu(pids: Pids): Promise<ReadonlyMap<string, number>> {
  return new Map(await Promise.all([...pids].map(async ([name, pid]) => [name, await cpuSeconds(pid)] as const)));
}

/** Runs work, and measures the CPU seconds of processes meanwhile, by name. */
export async function withCpu<T>(pids: Pids, work: () => Promise<T>) {
  const before = await readCpu(pids);
  const result = await work();
  const after = await readCpu(pids);
  const cpu = new Map([...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]));
  return { result, cpu };
}

/** The CPU microseconds for an item, of each process and of all. */
export function cpuFigures(name: string, cpu: ReadonlyMap<string, number>, items: number): readonly Figure[] {
  const all = [...cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
  return [['all processes', all] as const, ...cpu].map(([process, seconds]) => ({
    name: `${name}: CPU of ${process}`,
    value: (seconds / items) * 1e6,
    unit: 'µs',
  }));
}

/** The resident memory of a process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Runs work, and samples the memory of a process meanwhile. Returns the maximum in bytes. */
export async function withMemory<T>(pid: number, work: () => Promise<T>) {
  const ended = new AbortController();
  const watched = (async () => {
    let most = 0;
    while (!ended.signal.aborted) {
      most = Math.max(most, await residentBytes(pid));
      await pause(SAMPLE_EVERY_MS);
    }
    return most;
  })();
  const result = await work().finally(() => ended.abort());
  return { result, mostBytes: await watched };
}

/** The limit of open files of a process. */
export async function mostOpenFiles(pid: number): Promise<number> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  const most = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return most === 'unlimited' ? Number.POSITIVE_INFINITY : Number(most);
}

/** CPU time of a virtual machine since its start, in ticks. The host used the stolen share for others. */
interface MachineTime {
  readonly total: number;
  readonly stolen: number;
}

export async function machineTime(): Promise<MachineTime> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n', 1);
  // The order is user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user and nice.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, value) => sum + value, 0), stolen: ticks[7] ?? 0 };
}

/** The stolen share of the CPU time between two measurements, in percent. */
export function stolenPercent(from: MachineTime, to: MachineTime): number {
  return ((to.stolen - from.stolen) / Math.max(1, to.total - from.total)) * 100;
}

/** A server in a child process. */
export interface ChildServer {
  readonly child: ChildProcess;
  readonly port: number;
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a server of `child-servers.ts`. */
export async function startChildServer(name: string, args: readonly string[] = []): Promise<ChildServer> {
  // JSON cannot express NaN, which is in reports.
  const options = { serialization: 'advanced' } as const;
  const child = fork(join(import.meta.dirname, 'child-servers.ts'), [name, ...args], options);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    child,
    port,
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
