import { readFile } from 'node:fs/promises';

/** CPU time of a virtual machine since its start: all of it, and what its host gave to others meanwhile. Ticks. */
export interface MachineTime {
  readonly total: number;
  readonly stolen: number;
}

/** Reads it (proc(5), `/proc/stat`). Throws on systems without /proc. */
export async function machineTime(): Promise<MachineTime> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n', 1);
  // user nice system idle iowait irq softirq steal; what guests use is part of the first two.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, value) => sum + value, 0), stolen: ticks[7] ?? 0 };
}

/** The share of the CPU time between two moments that the host gave to others. Percent. */
export function stolenPercent(from: MachineTime, to: MachineTime): number {
  return ((to.stolen - from.stolen) / Math.max(1, to.total - from.total)) * 100;
}
