import { readFile } from 'node:fs/promises';

/** CPU time of a virtual machine since its start: all of it, and the share that its host used for others. In ticks. */
export interface MachineTime {
  readonly total: number;
  readonly stolen: number;
}

/** Reads `/proc/stat` (proc(5)). Throws without /proc. */
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
